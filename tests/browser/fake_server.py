"""The app with dice in place of models, for tests of the page: fake_server.py PORT LOAD_SECONDS MEASURE_SECONDS."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from streamlit.web import bootstrap  # noqa: E402

from expediter.core import pairs  # noqa: E402
from expediter.core.settings import Settings  # noqa: E402
from expediter.ui import live, recordings  # noqa: E402
from tests import fakes  # noqa: E402


def main(port: int, load_seconds: float, measure_seconds: float) -> None:
    """Swap what brings the models, then serve as `streamlit run app.py` does."""
    begin = "recorded on another machine" if measure_seconds else "measured here"
    source = fakes.FakeSource(load_seconds, measure_seconds, fakes.profile(begin))
    run = fakes.recording(Settings())
    live.source = lambda: source
    pairs.pairs = lambda: list(fakes.PAIRS)
    recordings.recorded = lambda pair: run if pair == "pocket-good" else ()
    flags = {"server_port": port, "server_address": "127.0.0.1", "server_headless": True, "browser_gatherUsageStats": False}
    bootstrap.load_config_options(flags)
    bootstrap.run(str(ROOT / "app.py"), False, [], flags)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
