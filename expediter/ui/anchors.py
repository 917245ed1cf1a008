"""Links into a page: the browser looks for the address's # before Streamlit has drawn anything, so the page goes there itself."""

from functools import cache

import streamlit as st

SCRIPT = """
export default function mount() {
  const go = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    for (const lit of document.querySelectorAll(".ex-aimed")) lit.classList.remove("ex-aimed");
    const found = name && document.getElementById(name);
    if (!found) return;
    found.classList.add("ex-aimed");
    found.scrollIntoView({ block: "center" });
  };
  requestAnimationFrame(go);
  window.addEventListener("hashchange", go);
  return () => window.removeEventListener("hashchange", go);
}
"""


def follow_anchor() -> None:
    """Scroll to what the address's # names and mark it, now and whenever it changes. Call it behind all that can be named."""
    _component()(key="anchor", data=None)


@cache
def _component():
    return st.components.v2.component("expediter_anchor", html="<span></span>", js=SCRIPT, isolate_styles=False)
