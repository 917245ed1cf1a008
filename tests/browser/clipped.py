"""A script for the stage: which of its texts are cut off or covered. It gives a list of faults."""

# Text may not leave its picture, and the labels of the curve may not cover each other.
CLIPPED = """() => {
  const faults = [];
  for (const svg of document.querySelectorAll(".xp svg")) {
    const frame = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      if (getComputedStyle(text).visibility === "hidden" || !box.width) continue;
      const out = box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
      if (out) faults.push(`clipped: ${text.textContent}`);
    }
  }
  const labels = [...document.querySelectorAll(".xp-marker text")].filter((node) => getComputedStyle(node).visibility !== "hidden");
  labels.forEach((one, i) => labels.slice(i + 1).forEach((other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const beside = a.left > b.right - 1 || b.left > a.right - 1 || a.top > b.bottom - 4 || b.top > a.bottom - 4;
    if (!beside) faults.push(`${one.textContent} covers ${other.textContent}`);
  }));
  return faults;
}"""
