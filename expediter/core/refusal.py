"""What a command says when its input cannot be used: one line on standard error that says what to mend."""

import errno
import sys

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def refuse(command: str, error: Exception) -> int:
    """Print the error's sentence behind the command's name. → exit code 2"""
    said = str(error)
    if isinstance(error, OSError) and error.errno:  # the system's own, which knows no way out, and of a full disk not even the file
        place = error.filename or "a file"
        said = f"{place} cannot be read or written ({error.strerror}): {'make room there' if error.errno in FULL else 'check the path'}"
    print(f"{command}: {' '.join(said.split())}", file=sys.stderr)
    return 2
