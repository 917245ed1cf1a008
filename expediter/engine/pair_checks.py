"""What two models must fulfil to be a pair here, asked as early as it can be known: before fetching, before loading, once loaded."""

import re

from expediter.core.pairs import PairInfo
from expediter.core.workloads import PROMPTS
from expediter.engine.device import choose
from expediter.engine.drafter import OneByOne
from expediter.engine.dspark_config import is_dspark, parse
from expediter.engine.loader import Pair
from expediter.engine.memory_need import check, need
from expediter.engine.model_folder import read_config, read_model, read_tokenizer
from expediter.engine.model_shape import Shape, parameters, shape
from expediter.engine.packed_check import check_draft, check_target
from expediter.engine.requests import ROOM
from expediter.engine.same_words import brings_words, same_words
from expediter.engine.target import Target
from expediter.engine.wanted_model import Wanted

ANSWER = 32  # tokens that a prompt must leave for an answer
BYTES = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2}  # of one number in a file


def before_fetching(target: Wanted, draft: Wanted) -> None:
    """From the small files alone: both can run here, have the same words, and fit into memory. Raises ValueError with one sentence."""
    shapes = target_shape(target), draft_shape(draft)
    _words(target, draft, shapes)
    _memory(shapes, (_numbers(target), _numbers(draft)))


def before_loading(target: Wanted, draft: Wanted) -> int:
    """The same again, now from the weights that lie there. → how deep the draft can go"""
    _memory((target_shape(target), draft_shape(draft)), (parameters(target.folder, target.given), parameters(draft.folder, draft.given)))
    config = read_config(draft.folder)
    return parse(config, draft.given).block if is_dspark(config) else OneByOne.max_depth


def once_loaded(pair: Pair, info: PairInfo, given: tuple[str, str]) -> None:
    """Packed gives what one by one gives, for both, and prompts leave room for answers. Raises ValueError with one sentence."""
    try:
        longest = max(len(pair.encode(prompt)) for prompts in PROMPTS.values() for prompt in prompts)
    except Exception as error:  # a template is a program that came with the model
        raise ValueError(f"{given[0]} has a chat template that takes no question ({type(error).__name__}): mend or remove it.") from error
    if longest > (most := ROOM - ANSWER):
        raise ValueError(f"{given[0]} makes up to {longest} tokens of a prompt, and {most} are the most here: pick another target.")
    check_target(pair.target, given[0])
    if not is_dspark(read_config(info.draft)):
        reference = Target(read_model(info.draft, pair.target.place), pair.target.place)
        check_draft(pair.drafter(4), reference, given[1])


def target_shape(model: Wanted) -> Shape:
    """Raises ValueError."""
    if is_dspark(read_config(model.folder)):
        raise ValueError(f"{model.given} is a drafter that works for one target only: give that target, and this as the draft.")
    return shape(model.folder, model.given)


def draft_shape(model: Wanted) -> Shape:
    """Raises ValueError."""
    config = read_config(model.folder)
    if not is_dspark(config):
        return shape(model.folder, model.given)
    c = parse(config, model.given)
    return Shape(c.layers, c.kv_heads, c.head_width, c.width, c.vocabulary)


def _words(target: Wanted, draft: Wanted, shapes: tuple[Shape, Shape]) -> None:
    """A vocabulary may be padded, as long as every word of the tokenizer is in it."""
    if not brings_words(target.folder):
        raise ValueError(f"{target.given} brings no tokenizer: pick another target, or put tokenizer.json into its folder.")
    count = len(read_tokenizer(target.folder))
    if brings_words(draft.folder):
        same_words(target.folder, draft.folder, (target.given, draft.given))
    elif shapes[0].vocabulary != shapes[1].vocabulary:
        sizes = f"reads {shapes[1].vocabulary} words where {target.given} reads {shapes[0].vocabulary}"
        raise ValueError(f"{draft.given} brings no tokenizer and {sizes}: pick a draft of the same family.")
    for model, have in ((target, shapes[0].vocabulary), (draft, shapes[1].vocabulary)):
        if have < count:
            raise ValueError(f"{model.given} reads {have} words and the tokenizer has {count}: they do not belong together.")


def _memory(shapes: tuple[Shape, Shape], numbers: tuple[int, int]) -> None:
    """Raises ValueError when the pair does not fit where, and in the number format in which, it would be loaded."""
    place = choose(numbers=numbers[0])
    check(need((shapes[0], numbers[0]), (shapes[1], numbers[1]), place), place)


def _numbers(model: Wanted) -> int:
    """Parameters: counted where the weights are here, else told from what is to be fetched."""
    if model.repository is None:
        return parameters(model.folder, model.given)
    config = read_config(model.folder)
    form = re.sub(r"^torch\.", "", str(config.get("dtype") or config.get("torch_dtype") or "float32"))
    return model.coming // BYTES.get(form, 2)
