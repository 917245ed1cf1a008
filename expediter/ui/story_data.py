"""The whole story as the plain dictionary that its script plays: scenes in order, words filled from recorded steps. No streamlit here."""

import json
from functools import cache
from pathlib import Path

from expediter.core.trace import RequestTrace, StepTrace
from expediter.ui import story_numbers as numbers
from expediter.ui.captions import end_sentence
from expediter.ui.stage_data import payload as stage_payload
from expediter.ui.story_models import UNKNOWN, Models
from expediter.ui.story_steps import hero
from expediter.ui.theme import STATES
from expediter.ui.token_text import visible

WORDS = Path(__file__).parents[2] / "assets" / "story.json"
SCENES = 9
TAIL = 14  # words of an answer that are shown before its guesses


@cache
def words() -> dict:
    """The whole of assets/story.json. Read once a process."""
    return json.loads(WORDS.read_text(encoding="utf-8"))


def clamped(asked: str | None) -> int:
    """The scene that an address asks for, 1..SCENES; 1 for what is no number."""
    try:
        return min(max(int(float(asked or 1)), 1), SCENES)
    except (ValueError, OverflowError):
        return 1


def payload(
    quiet: StepTrace, busy: StepTrace | None, *, title: str, at_once: bool = False, start: int = 1, models: Models = UNKNOWN
) -> dict:
    """Everything that the story shows. `quiet` carries eight scenes, `busy` the rush hour; `title` is the pair's name for people,
    `at_once` says that its draft guesses whole blocks instead of word by word; `models` is what is known of the two.

    Each scene: title, text, van (a line or ""), after (shown when the motion is done), show (cards of the stage), play (phases that
    move), run ("quiet" or "busy"), seconds of motion.
    """
    text, slot = words(), hero(quiet)
    label = {"pair": title, "step": quiet.step + 1, "machine": quiet.machine, "source": quiet.table_source}
    return {
        "start": start,
        "scenes": _scenes(quiet, busy, slot, at_once, models),
        "reveal": _reveal(quiet),
        "runs": {
            "quiet": stage_payload(quiet, revision="quiet", settle="start", note="recorded run"),
            **({"busy": stage_payload(busy, revision="busy", settle="start", note="recorded run")} if busy else {}),
        },
        "letter": _letter(quiet.requests[slot]) | {"at_once": at_once},
        "layers": {"big": models.big, "small": models.small},
        "reading": numbers.reading(models, len(quiet.requests[slot].tokens)),
        "verdicts": numbers.verdicts(quiet, text["verdict"]),
        "compare": numbers.comparison(quiet, busy) if busy else [],
        "cards": text["scenes"]["machines"]["cards"],
        "label": text["label"].format(**label),
        "ui": text["ui"],
        "marks": {state.name: {"mark": state.mark, "label": state.label} for state in STATES.values()},
    }


def _scenes(quiet: StepTrace, busy: StepTrace | None, slot: int, at_once: bool, models: Models) -> list[dict]:
    """Nine scenes. The load scene asks first; its second half is the reveal."""
    told = words()["scenes"]
    say = numbers.of_quiet(quiet, slot)
    reading = numbers.reading(models, len(quiet.requests[slot].tokens))
    lossless = told["deliver"]["lossless_sampled" if quiet.temperature > 0 else "lossless_greedy"]
    left = "after" if quiet.count("left") else "after_none_left"
    flat = say["empty"] == say["full"]
    how = "one" if len(quiet.requests[slot].tokens) == 1 else "at_once" if at_once else "in_turn"
    scenes = [
        _scene("slow", {**say, **reading}, after="after_measured" if reading else "after", letter="typed", seconds=7),
        _scene("guesser", {**say, "how": told["guesser"]["how"][how]}, letter="guesses", seconds=5),
        _scene("honest", say, after="after" if len(quiet.requests[slot].tokens) > 1 else "after_one", letter="scored", seconds=3),
        _scene("customers", say, after="after_flat" if flat else "after", show="bars van", play=("draft", "score"), seconds=4),
        _scene("sort", say, show="bars", play=("sort",), seconds=3),
        _scene("load", say, show="bars", play=("sort",), asks=told["load"]["question"]),
        _scene("deliver", {**say, "lossless": lossless}, after=left, show="van", play=("check", "deliver"), letter="fates", seconds=4),
        _rush(quiet, busy),
        _scene("machines", say, text="text_at_once" if at_once else "text"),
    ]
    return [{"number": i, **scene} for i, scene in enumerate(scenes, 1)]


def _reveal(quiet: StepTrace) -> dict:
    """What follows the reader's mark: the same scene, now loading."""
    worth = numbers.of_next(quiet)
    after = "after_peak" if worth else "after"
    scene = _scene("stop", {"end": end_sentence(quiet), **worth}, after=after, show="bars curve van dials", play=("load",), seconds=7)
    if quiet.path[0] < quiet.theta_off:
        scene["text"] += words()["scenes"]["stop"]["guessing"]
    return scene


def _rush(quiet: StepTrace, busy: StepTrace | None) -> dict:
    """The same pair at another load, or one paragraph that says that there is no such recording."""
    told = words()["scenes"]["rush"]
    if busy is None:
        return {**_scene("rush", {**numbers.of_rush(quiet, quiet), "surer": ""}), "text": told["missing"], "van": "", "after": ""}
    say = numbers.of_rush(quiet, busy)
    say["surer"] = told["surer"].format(**say) if numbers.dearer(quiet, busy) else ""
    heavier = busy.step_seconds[0] > quiet.step_seconds[0] and say["empty"] != say["empty_busy"]
    after = "after" if numbers.fewer(quiet, busy) else "after_not_fewer"
    scene = _scene("rush", say, text="text" if heavier else "text_flat", after=after, show="van", play=("load",), run="busy", seconds=5)
    if numbers.most_guessed(busy) < numbers.most_guessed(quiet):
        most = {"most": numbers.most_guessed(quiet), "most_busy": numbers.most_guessed(busy)}
        scene["after"] += told["after_guessed"].format(**most)
    if busy.theta_off > busy.theta:
        scene["after"] += _kept(told["after_off"].format(**say))
    return scene if after == "after" else {**scene, "van": ""}


def _scene(
    name: str, say: dict[str, str], *, text: str = "text", after: str = "after", show: str = "", play: tuple[str, ...] = (),
    run: str = "quiet", letter: str = "", seconds: float = 0.0, asks: str = "",
) -> dict:  # fmt: skip
    told = words()["scenes"][name]
    return {
        "name": name,
        "title": told["title"],
        "text": _kept(told[text].format(**say)),
        "van": told.get("van", ""),
        "after": _kept(told.get(after, "").format(**say)),
        "show": show,
        "play": list(play),
        "run": run,
        "letter": letter,
        "seconds": seconds,
        "asks": asks,
    }


def _kept(sentence: str) -> str:
    """Numbers stay on one line with their units."""
    return sentence.replace(" %", "\u00a0%").replace(" ms", "\u00a0ms")


def _letter(request: RequestTrace) -> dict:
    """One request's answer: the end of what was written before this step, then every guess with its chance and fate, and the own word."""
    written = [visible(word) for word in request.before.split()]
    guesses = zip(request.drafts, request.survival, strict=True)
    return {
        "prompt": request.prompt,
        "cut": len(written) > TAIL,
        "before": written[-TAIL:],
        "guesses": [{"t": visible(t), "a": round(a, 6), "fate": request.fate(j)} for j, (t, a) in enumerate(guesses, 1)],
        "accepted": request.accepted,
        "own": None if request.own is None else visible(request.own),
    }
