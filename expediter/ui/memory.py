"""Keeping Streamlit's garbage collection short. It collects after every run, and a full collection looks at every object there is."""

import gc


def keep_for_good() -> None:
    """Take everything that is alive out of the collector's sight: modules and models stay as long as the process.

    Without it each step pays a tenth of a second for Streamlit's own objects and several tenths with torch loaded.
    """
    gc.collect()
    gc.freeze()


def let_go() -> None:
    """Look at everything once more, so that what an unloaded pair leaves behind in circles is freed as well."""
    gc.unfreeze()
    keep_for_good()
