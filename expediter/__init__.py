"""The Expediter: watch how a serving engine decides how many guessed words a language model should check."""

__version__ = "0.1.0"
