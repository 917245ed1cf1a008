"""When something was, in a reader's words."""

from datetime import UTC, datetime

UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def day(moment: str) -> str:
    """An ISO 8601 moment as "3 May 2026"; as it stands when it does not read."""
    try:
        return datetime.fromisoformat(moment).strftime("%-d %B %Y")
    except ValueError:
        return moment


def ago(moment: str, now: datetime | None = None) -> str:
    """An ISO 8601 moment as "3 minutes ago"; "just now" below a minute and for clocks that run ahead; empty when it does not read."""
    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return ""
    seconds = ((now or datetime.now(UTC)) - (then if then.tzinfo else then.replace(tzinfo=UTC))).total_seconds()
    for unit, size in UNITS:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit} ago" if count == 1 else f"{count} {unit}s ago"
    return "just now"
