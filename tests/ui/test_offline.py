"""A saved page holds everything itself, and nothing in it can be anything but data."""

import base64
import hashlib
import json
import re
from dataclasses import replace

import pytest

from expediter.core.settings import Settings
from expediter.ui.offline import page
from tests.fakes import recording

RUN = recording(Settings(load=4), steps=3)
EVIL = "</script><script>alert(1)</script><!-- & $style"


def steps_in(text: str) -> list[dict]:
    """The page's data, read as a browser would."""
    return json.loads(re.search(r'<script type="application/json" id="steps">(.*?)</script>', text, re.S)[1])


def with_text(evil: str) -> str:
    first = RUN[0].requests[0]
    request = replace(first, prompt=evil, before=evil, drafts=(evil, *first.drafts[1:]), own=evil)
    return page([replace(RUN[0], pair=evil, requests=(request, *RUN[0].requests[1:]))], f"From {evil}")


def test_every_step_is_in_the_page_and_says_which_it_is():
    steps = steps_in(page(RUN, "From here."))
    assert [step["stage"]["note"] for step in steps] == [f"saved run, {at} of 3" for at in (1, 2, 3)]
    assert [step["stage"]["canBack"] for step in steps] == [False, True, True]
    assert [len(step["words"]["letters"]) for step in steps] == [4, 4, 4]


def test_token_text_stays_data():
    text = with_text(EVIL)
    assert text.count("<script") == 2, "the data and the page's own script"
    assert text.count("</script>") == 2
    assert "alert(1)</" not in text
    assert steps_in(text)[0]["words"]["letters"][0]["prompt"] == EVIL


def test_the_policy_lets_only_this_script_run_and_nothing_load():
    text = page(RUN, "From here.")
    script = re.search(r"<script>(.*?)</script>", text, re.S)[1]
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{hashed}'" in text
    assert not re.search(r"(src|href)=|@import|url\((?!#|\")", text.replace("-src ", ""))
    assert "export default" not in script
    assert "import " not in script


def test_nothing_to_save_is_one_sentence():
    with pytest.raises(ValueError, match="no step to save"):
        page([], "")
