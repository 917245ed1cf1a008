"""The rules of the house that a reader can rely on: which layer may import which, how long a file may be, what is never used."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = ("expediter", "pages", "models", "app")
ALLOWED = {  # of the project itself, by layer; each layer also sees its own modules
    "expediter/core": ("expediter.core",),
    "expediter/engine": ("expediter.core", "expediter.engine"),
    "expediter/ui": ("expediter.core", "expediter.engine", "expediter.ui"),
}
FORBIDDEN = {  # outside the project
    "expediter/engine": ("streamlit", "plotly"),
    "models/recipes": ("streamlit", "plotly"),
}
LONGEST = 250


def files(*folders: str) -> list[Path]:
    """Every Python file of the project under these folders, without hidden ones."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)]


def imports(path: Path) -> set[str]:
    """The dotted names that a file imports, also inside functions; of `from a import b` both a and a.b."""
    names = set()
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            names |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    return names


def inside(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


OURS = files("expediter", "pages", "models", "tests") + [path for path in (ROOT / "app.py",) if path.exists()]


@pytest.mark.parametrize("layer", ALLOWED)
def test_a_layer_imports_only_the_layers_below_it(layer):
    wrong = {
        label(path): name
        for path in files(layer)
        for name in imports(path)
        if inside(name, PROJECT) and name != "expediter" and not inside(name, ALLOWED[layer])
    }
    assert not wrong


def test_core_imports_numpy_and_the_standard_library_only():
    allowed = ("numpy", "expediter", *sys.stdlib_module_names)
    wrong = {label(path): name for path in files("expediter/core") for name in imports(path) if not inside(name, allowed)}
    assert not wrong


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_without_a_screen_does_not_import_one(layer):
    wrong = {label(path): name for path in files(layer) for name in imports(path) if inside(name, FORBIDDEN[layer])}
    assert not wrong


def test_nothing_below_the_pages_imports_a_page():
    wrong = {label(path): name for path in files("expediter", "models") for name in imports(path) if inside(name, ("pages", "app"))}
    assert not wrong


@pytest.mark.parametrize("path", OURS, ids=label)
def test_a_file_is_short_enough_to_be_read_in_one_go(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", OURS, ids=label)
def test_nothing_is_loaded_that_could_run_foreign_code(path):
    """No pickle in any guise, and no code that a model folder brings along."""
    assert not [name for name in imports(path) if inside(name, ("pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"))]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        assert called not in ("torch.load", "torch.save", "eval", "exec"), f"line {node.lineno}: {called}"
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        for name in ("trust_remote_code", "allow_pickle"):
            value = given.get(name)
            assert value is None or (isinstance(value, ast.Constant) and value.value is False), f"line {node.lineno}: {name}"


def test_the_reader_of_imports_sees_every_spelling(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "a" / "b").mkdir(parents=True)
    path = tmp_path / "a" / "b" / "c.py"
    path.write_text("import x.y as z\nfrom p import q\nfrom . import r\nfrom ..s import t\ndef f():\n    import late\n")
    assert imports(path) == {"x.y", "p", "p.q", "a.b", "a.b.r", "a.s", "a.s.t", "late"}
