"""What made every shipped weight, in the order of running.

corpus.py     SmolLM2-135M-Instruct writes the text (or use an existing corpus file)
tokenizer.py  a byte-level BPE of 4,096 pieces from that text
target.py     the pocket targets: six layers first, then grown to twelve
draft.py      the one-layer drafts, distilled from a finished target
"""
