"""What every figure begins with."""

import subprocess
import sys

SEEN = """
import sys
assert "pandas" not in sys.modules
import expediter.ui.canvas
assert sys.modules["pandas"].Series
"""


def test_no_figure_is_drawn_while_pandas_is_half_imported():
    """plotly uses pandas as it finds it: where two tabs open a fresh server at once, that was half of it."""
    done = subprocess.run([sys.executable, "-c", SEEN], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
