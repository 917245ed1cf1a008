"""Files are written whole or not at all: a reader in another process, or after a full disk, never meets half a file.

A device, a pipe or a link, /dev/stdout for example, is written to as it stands: to take its place would destroy it.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import get_ident


def can_be_written(*paths: Path | None) -> None:
    """Find out before minutes of work whether their result could be written; None stands for one that is not wanted.

    Makes the folders. Raises OSError, which names the path.
    """
    for path in filter(None, paths):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.is_file():
                with TemporaryFile(dir=path.parent):
                    pass
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from error


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A neighbour of `path` to write to. It takes the path's place when the block ends, and is removed when the block fails.

    Makes the folder. Raises OSError, which names `path`: a full disk names no file, and the neighbour means nothing to anybody.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or (path.exists() and not path.is_file() and not path.is_dir()):
        yield path
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}.part")  # another process or session may write the same file now
    try:
        yield draft
        draft.replace(path)
    except BaseException as error:
        with suppress(OSError):  # what went wrong first is what is told
            draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno and error.filename in (None, str(draft), draft):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
