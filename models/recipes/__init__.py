"""What made every shipped weight, in the order of running.

corpus.py      SmolLM2-135M-Instruct writes the text (or use an existing corpus file)
tokenizer.py   a byte-level BPE of 4,096 pieces from that text
target.py      the pocket targets: six layers first, then grown to twelve
draft.py       the one-layer drafts, distilled from a finished target
dspark.py      the block drafter, trained on a finished target's hidden states; dspark_report.py says what a draft brings
chat_draft.py  a one-layer draft for a chat model, of its most common words only
confidence.py  each pair's calibrated confidence
card.py        the model cards

The rest helps these: data.py (rows and splits), prompts.py (what the writer is asked), writer.py (fast sampling), muon.py
(the optimizer), teacher.py and distil.py (distillation), course.py (steps and restarts), dspark_net.py, dspark_loss.py and dspark_texts.py
(the block drafter).
"""
