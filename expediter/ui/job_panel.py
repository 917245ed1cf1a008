"""A job as the reader sees it: the button that begins it, bar and Cancel while it runs, and what became of it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from expediter.ui import jobs
from expediter.ui.ages import ago
from expediter.ui.alive import moving, seconds
from expediter.ui.job import Asked, Job, Work
from expediter.ui.live import Progress

TICK = 0.5  # seconds between two looks at a running job
NEWS = 600  # seconds for which an end that left nothing behind, or one elsewhere, is news
OTHERS = 3  # jobs of the same kind that a page tells about
WORDS = Path(__file__).parents[2] / "assets" / "job.json"


@cache
def words() -> dict:
    """Labels of the panel."""
    return json.loads(WORDS.read_text(encoding="utf-8"))


def bringing_up(progress: Progress) -> str:
    """What goes on while a pair is loaded; empty before and after."""
    return words()["bringing_up"].get(progress.step, "") if progress.state == "loading" else ""


def offer(label: str, asked: Asked, work: Callable[[], Work], *, key: str = "measure", note: str | None = None) -> None:
    """The button that begins this job, and the job's panel."""
    if st.button(label, key=key, disabled=jobs.running(asked.key), help=note):
        jobs.start(asked, work())
        st.rerun()
    panel(asked)


def panel(asked: Asked) -> None:
    """Bar and Cancel while it runs, a sentence when it failed or was cancelled; then what jobs of its kind do, or did, for other settings.

    A bar refreshes itself; the page reruns once, when the job ends. Nothing for a job that is done: its result is on the page.
    """
    job = jobs.find(asked.key)
    if job is not None and job.running:
        _watch(asked.key, "")
    elif job is not None and job.state != "done":
        _tell(unfinished(job))
    kind = asked.key.split(" ")[0]
    for other in [other for other in jobs.registry().kind(kind) if other.asked.key != asked.key and _news(other)][:OTHERS]:
        _other(other)


def unfinished(job: Job) -> str:
    """Why it came to nothing, and when; empty once that is no news any more."""
    when = ago(job.ended_at)
    if job.state == "failed":
        return words()["failed"].format(problem=job.progress.problem, when="" if when == "just now" else f" ({when})")
    return words()["cancelled"] if recent(job) else ""


def recent(job: Job) -> bool:
    """Whether its end is still news."""
    return bool(job.ended_at) and (datetime.now(UTC) - datetime.fromisoformat(job.ended_at)).total_seconds() < NEWS


def _news(job: Job) -> bool:
    """Whether a job for other settings is worth a word here."""
    return bool(job.asked.about) and (job.running or (job.state in ("done", "failed") and recent(job)))


def _other(job: Job) -> None:
    if job.running:
        _watch(job.asked.key, words()["other_running"].format(about=job.asked.about))
        return
    said = words()[f"other_{job.state}"].format(about=job.asked.about, when=ago(job.ended_at))
    link = f" <a href='?{escape(job.asker.address)}' target='_self'>{escape(words()['show'])}</a>" if job.asker.address else ""
    st.html(f"<p class='ex-notice'>{escape(said)}{link}</p>")


def _tell(said: str) -> None:
    if said:
        st.html(f"<p class='ex-notice' role='status'>{escape(said)}</p>")


@st.fragment(run_every=TICK)
def _watch(key: str, before: str) -> None:
    """before: what makes clear that it is not the job of the settings on the page."""
    job = jobs.find(key)
    if job is None or not job.running:
        st.rerun()
    progress = job.progress
    said = words()["stopping"] if job.stopping else progress.sentence or words()["starting"]
    with st.container(key=f"job_{key}", gap="small"):
        if before:
            st.html(f"<p class='ex-read'>{escape(before)}</p>")
        _bar(key, progress.done, said, job)
        with st.container(horizontal=True, vertical_alignment="center", key=f"job_end_{key}", gap="small"):
            if st.button(words()["cancel"], key=f"cancel_{key}", disabled=job.stopping):
                job.cancel()
                st.rerun(scope="fragment")
            if not jobs.mine(job):
                st.html(f"<p class='ex-read'>{escape(words()['elsewhere'])}</p>")


def _bar(key: str, done: float | None, said: str, job: Job) -> None:
    """A bar of our own: Streamlit's has no name that a screen reader could say."""
    if done is None:
        st.html(f"<p class='ex-state'>{moving(key, job.since, said)}</p>")
        return
    bar = f"<progress max='1' value='{done:.3f}' aria-label='{escape(said)}' style='width: 100%'></progress>"
    st.html(f"{bar}<p class='ex-state'><span>{escape(said)}</span> {seconds(key, job.since, said)}</p>")
