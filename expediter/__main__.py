"""`python -m expediter COMMAND`: loads only the command that was asked for, so that `schedule` starts without torch."""

import argparse
import contextlib
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from typing import NoReturn

from expediter import cli

TRY = """\
How many drafted words is it worth checking? The scheduler and its tools.

Try:  python -m expediter schedule --help     decide for confidences and a cost table of your own
      python -m expediter pairs               which models there are
      python -m expediter bench --quick       is it really faster?"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line."""

    def error(self, message: str) -> NoReturn:
        line = message.replace("\n", " ")
        self.exit(2, f"{self.prog}: {line}; {self.prog} --help shows the use\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand. Returns its exit code: 0 done, 1 a check does not hold, 2 wrong input, 130 stopped."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed before we began
            stream.reconfigure(errors="backslashreplace")  # a terminal without Greek letters gets Θ as \\u0398, not an error
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    known = {name.replace("_", "-"): name for _, name, _ in pkgutil.iter_modules(cli.__path__)}
    wanted = [known[arguments[0]]] if arguments and arguments[0] in known else list(known.values())
    parser = Parser(prog="python -m expediter", description=TRY, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in wanted:
        importlib.import_module(f"expediter.cli.{name}").register(commands)
    options = parser.parse_args(arguments)
    try:
        code = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        _write_no_more()
        return 0
    except OSError as error:  # what a command expects it tells itself; here a disk is full behind a redirect, or the like
        _write_no_more()
        place = error.filename or "the answer"
        parser.exit(
            2, f"{parser.prog}: {place} could not be read or written ({error.strerror or error}): check the place and its free space\n"
        )
    except KeyboardInterrupt:
        print(f"{parser.prog}: stopped", file=sys.stderr)
        return 130
    return code


def _write_no_more() -> None:
    """Keep the interpreter from complaining at its exit about output that it cannot write."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
