"""The two steps that the story is told of, with dice."""

import pytest

from expediter.core.trace import StepTrace
from expediter.ui.story_steps import telling
from tests.ui.story_runs import run


@pytest.fixture(scope="module")
def quiet() -> StepTrace:
    return telling(run(load=16))


@pytest.fixture(scope="module")
def busy() -> StepTrace:
    return telling(run(load=64))
