"""How long something takes, as people say it: minutes and seconds, never hundreds of seconds. The browser's own count: assets/page.css."""

STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)  # seconds between two ticks
TICKS = 7  # at most so many on an axis


def duration(seconds: float) -> str:
    """ "0.4 s", "52 s", "15 min 52 s", "2 h 5 min": the two largest units that count."""
    if seconds < 9.95:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return _pair(whole // 60, "min", whole % 60, "s")
    minutes = round(seconds / 60)
    if minutes < 24 * 60:
        return _pair(minutes // 60, "h", minutes % 60, "min")
    hours = round(seconds / 3600)
    return _pair(hours // 24, "d", hours % 24, "h")


def lapse(seconds: float) -> str:
    """A short time, or a long one where a table has it: "2.45 ms", "1 s", "15 min 52 s"."""
    return f"{1000 * seconds:.2f} ms" if seconds < 1 else duration(seconds)


def ticks(longest: float) -> list[float]:
    """Round moments from 0 to `longest` seconds, for an axis whose labels are durations."""
    day = STEPS[-1]
    step = next((step for step in STEPS if longest / step < TICKS), day * -(-longest // (day * TICKS)))
    return [number * step for number in range(int(longest / step) + 1)]


def _pair(large: int, unit: str, small: int, smaller: str) -> str:
    return f"{large:,} {unit} {small} {smaller}" if small else f"{large:,} {unit}"
