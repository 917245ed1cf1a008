"""What a command says when its input cannot be used: one line on standard error that says what to mend."""

import sys


def refuse(command: str, error: Exception) -> int:
    """Print the error's sentence behind the command's name. → exit code 2"""
    said = str(error)
    if isinstance(error, OSError) and error.errno:  # the system's own, which knows no way out, and of a full disk not even the file
        place = error.filename or "a file"
        said = f"{place} cannot be read or written ({error.strerror}): check the path and its free space"
    print(f"{command}: {' '.join(said.split())}", file=sys.stderr)
    return 2
