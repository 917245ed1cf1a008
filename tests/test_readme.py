"""What README.md prints can be typed: every command parses, every file, folder, module and variable it names is there."""

import argparse
import importlib
import importlib.util
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

from expediter import cli
from expediter.core.case import read_case

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
OURS = re.findall(r"^    python -m expediter (.+)$", TEXT, re.MULTILINE)
RECIPES = re.findall(r"^ *python -m models\.recipes\.(.+)$", TEXT.replace("\\\n", ""), re.MULTILINE)
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "models").glob("**/README.md"))]


@pytest.fixture(scope="module")
def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(exit_on_error=False)
    commands = whole.add_subparsers(required=True)
    for _, name, _ in pkgutil.iter_modules(cli.__path__):
        importlib.import_module(f"expediter.cli.{name}").register(commands)
    return whole


@pytest.mark.parametrize("line", OURS)
def test_a_command_is_understood_as_it_is_printed(line, parser):
    assert parser.parse_args(shlex.split(line, comments=True)).run


def test_every_command_is_told():
    told = {line.split()[0] for line in OURS}
    assert told == {name.replace("_", "-") for _, name, _ in pkgutil.iter_modules(cli.__path__)}


def test_every_module_is_there():
    modules = set(re.findall(r"python -m ((?:tests|models)[\w.]+)", TEXT))
    assert modules
    assert not [module for module in modules if importlib.util.find_spec(module) is None]


@pytest.mark.parametrize("line", RECIPES)
def test_a_recipe_is_understood_as_it_is_printed(line, monkeypatch):
    module, *words = shlex.split(line)
    monkeypatch.setattr("sys.argv", [module, *words])
    assert importlib.import_module(f"models.recipes.{module}").options()


@pytest.mark.parametrize("page", DOCS, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_link_leads_to_a_file_that_is_there(page):
    links = [link for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")) if "://" not in link]
    assert not [link for link in links if not (page.parent / link).exists()]


def test_every_file_and_folder_is_there():
    named = set(re.findall(r"`((?:expediter|models|assets|tests|pages|docs|\.ci|\.streamlit)/[\w./-]*)`", TEXT))
    assert len(named) > 10
    assert not [path for path in named if not (ROOT / path).exists()]


def test_the_variables_are_those_that_the_code_reads():
    sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "expediter").glob("**/*.py"))]
    read = {name for source in sources for name in re.findall(r"environ\S*[\[(]\s*\"(EXPEDITER_\w+)\"", source)}
    told = set(re.findall(r"^\| `(EXPEDITER_\w+)` \|", TEXT, re.MULTILINE))
    assert told == read


def test_the_chapters_are_those_of_the_navigation():
    titles = re.findall(r'st\.Page\(.+title="([^"]+)"', (ROOT / "app.py").read_text(encoding="utf-8"))
    told = [name.lower() for name in re.findall(r"\*\*([\w ]+)\*\*", TEXT)]
    assert not [title for title in titles if title.lower() not in told]


def test_the_example_case_is_one():
    example = re.search(r"```json\n(.+?)```", TEXT, re.DOTALL)
    assert example
    assert len(read_case(example.group(1)).confidence) == 3
