"""A byte-level BPE of 4,096 pieces, trained on the corpus, saved as a transformers tokenizer.

python -m models.recipes.tokenizer --corpus corpus.jsonl.xz --out models/pocket
"""

import argparse
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from models.recipes.data import held_out, rows

SPECIAL = ["<|end|>", "<|prompt|>", "<|answer|>"]
CHAT = (
    "{% for m in messages %}{% if m['role'] == 'user' %}<|prompt|>{{ m['content'] }}<|answer|>"
    "{% else %}{{ m['content'] }}<|end|>{% endif %}{% endfor %}"
)
# Words keep their leading space, digits stand alone (sums are read digit by digit), newlines are their own piece.
SPLIT = Regex(r" ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\n| +(?=\S)|\s+")


def train(corpus: Path, size: int = 4096) -> PreTrainedTokenizerFast:
    """Fit on the training prompts only. Ids 0, 1, 2 are end, prompt and answer."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(SPLIT, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=True
    )
    lines = (r["prompt"] + "\n" + r["response"] for r in rows(corpus) if not held_out(r["prompt"]))
    tokenizer.train_from_iterator(lines, trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=SPECIAL[0], pad_token=SPECIAL[0], model_max_length=512)
    fast.chat_template = CHAT
    return fast


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    o = options()
    train(o.corpus).save_pretrained(o.out)
