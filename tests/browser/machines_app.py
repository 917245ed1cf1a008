"""Every page with two pairs of dice; the recordings of Three machines lie in the folder MACHINES, mini-good's draft as well."""

import os
import runpy
from dataclasses import replace
from pathlib import Path

from expediter.core import block, pairs, recorded_blocks
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import recordings
from tests import fakes

folder = Path(os.environ["MACHINES"])
known = [replace(pair, draft=folder) if pair.name == "mini-good" else pair for pair in fakes.PAIRS]
run = fakes.recording(Settings())

# Before a page is imported for the first time; afterwards it changes nothing.
block.path_of = lambda pair: folder / f"{pair}.json"
recorded_blocks.path_of = lambda pair: folder / f"{pair}.npz"
pairs.pairs = lambda: list(known)
recordings.recorded = lambda pair: run if pair == DEFAULT_PAIR else ()
runpy.run_path(str(Path(__file__).with_name("everywhere_app.py")))
