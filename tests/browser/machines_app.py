"""Every page with dice in place of models; the recordings of Three machines lie in the folder MACHINES, mini-good's draft as well."""

import os
import runpy
from dataclasses import replace
from pathlib import Path

from expediter.core import block, recorded_blocks
from tests import fakes

folder = Path(os.environ["MACHINES"])

# Before a page is imported for the first time; afterwards it changes nothing.
block.path_of = lambda pair: folder / f"{pair}.json"
recorded_blocks.path_of = lambda pair: folder / f"{pair}.npz"
fakes.PAIRS = tuple(replace(pair, draft=folder) if pair.name == "mini-good" else pair for pair in fakes.PAIRS)
runpy.run_path(str(Path(__file__).with_name("everywhere_app.py")))
