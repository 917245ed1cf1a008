"""The fleet of Rush hour: recorded texts served to crowds of every size on a chosen clock, computed once for each question."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from expediter.core.arrivals import Arrivals
from expediter.core.clock import SimulatedClock
from expediter.core.fleet_clock import Clock, Stretched
from expediter.core.pause import LEAST, REQUESTS
from expediter.core.policy import Policy
from expediter.core.profile import Profile
from expediter.core.recorded_places import Places
from expediter.core.simulation import Fleet, FleetRun, simulate

POLICIES = ("early-stop", "off", "all", "fixed:2", "threshold:0.5", "stale")
TIMED = ("early-stop", "off", "all", "threshold:0.5")  # whose day is drawn
CROWDS = (1, 2, 4, 8, 16, 32, 64, 256, 1024, 4096, 10_000)
ANSWER = (32, 128)  # tokens
LEAST_STEPS, BLOCKS = 32, 800  # of a crowd that never shrinks: so many steps, and so many blocks in all
DAY = (200, 600, 3_000_000)  # fewest and most steps of a day with arrivals, and request-steps at most


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """One policy serving a crowd that never shrinks."""

    lanes: int  # R
    words_per_second: float
    sent: float  # per request and step
    felt: float  # tokens per second of one request


@dataclass(frozen=True, slots=True, eq=False)
class Day:
    """Arrivals over some time, by policy."""

    runs: Mapping[str, FleetRun]
    asked: float  # tokens per second that the arrivals ask for, on average
    requests: float  # arrivals expected in the time shown
    seconds: float  # simulated time shown


def clock_of(table: Profile | SimulatedClock, temperature: float) -> Clock:
    """A table for crowds of any size at this temperature."""
    return table if isinstance(table, SimulatedClock) else Stretched(table.at(temperature))


def crowds(asked: tuple, texts: Places, table: Profile | SimulatedClock, most: int) -> dict[str, tuple[Crowd, ...]]:
    """Every policy at every crowd up to `most`. asked: names the texts, which are too large to be compared."""
    return _crowds((*asked, table.fingerprint), most, texts, clock_of(table, texts.temperature))


@st.cache_data(max_entries=32, show_spinner=False)
def _crowds(asked: tuple, most: int, _texts: Places, _clock: Clock) -> dict[str, tuple[Crowd, ...]]:
    sizes = [size for size in CROWDS if size <= most]
    return {policy: tuple(_crowd(policy, size, _texts, _clock) for size in sizes) for policy in POLICIES}


def _crowd(policy: str, lanes: int, texts: Places, clock: Clock) -> Crowd:
    warm = max(2 * LEAST, REQUESTS // lanes)  # until the engine has judged how deep drafting pays, and then whether it does
    fleet = Fleet(lanes, answer=ANSWER, steps=warm + max(LEAST_STEPS, BLOCKS // lanes))
    run = simulate(texts, clock, Policy.parse(policy), fleet).after(warm)
    return Crowd(lanes, run.words_per_second, run.sent_per_request, run.felt)


def day(asked: tuple, texts: Places, table: Profile | SimulatedClock, kind: str, lanes: int, busy: float) -> Day:
    """Arrivals of this kind, `busy` times as many as this many lanes could serve without guessing."""
    return _day((*asked, table.fingerprint), kind, lanes, busy, texts, clock_of(table, texts.temperature))


@st.cache_data(max_entries=32, show_spinner=False)
def _day(asked: tuple, kind: str, lanes: int, busy: float, _texts: Places, _clock: Clock) -> Day:
    wanted = busy * _plain_rate(_clock, lanes)  # tokens/s
    crowd = next((size for size in CROWDS if size < lanes and _plain_rate(_clock, size) >= wanted), lanes)  # that could keep up
    fewest, most, request_steps = DAY
    steps = int(np.clip(request_steps // crowd, fewest, most))
    seconds = steps * crowd / _plain_rate(_clock, crowd)
    arrivals = Arrivals(kind, rate=wanted / np.mean(ANSWER), period=seconds / 3)
    fleet = Fleet(lanes, arrivals, ANSWER, steps=4 * steps, seconds=seconds)
    runs = {policy: simulate(_texts, _clock, Policy.parse(policy), fleet) for policy in TIMED}
    seconds = min(seconds, *(float(run.clock[-1]) for run in runs.values()))  # a small crowd's many steps may end before
    return Day({policy: run.until(seconds) for policy, run in runs.items()}, wanted, arrivals.rate * seconds, seconds)


def _plain_rate(clock: Clock, crowd: int) -> float:
    """Tokens per second of so many requests without guessing, in long answers."""
    return crowd / clock.step_rate(crowd, ANSWER[1], 0).without_drafts(crowd)
