// Small helpers for drawing. Token text only ever enters through textContent or setAttribute.
const SVG = "http://www.w3.org/2000/svg";

function draw(name, attributes = {}, parent = null, text = null) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}

function html(name, className, parent, text = null) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}

// Setting an attribute to what it is already still costs style work: remember what was set.
const remembered = new WeakMap();
function put(node, key, value) {
  let known = remembered.get(node);
  if (!known) remembered.set(node, (known = {}));
  if (known[key] === value) return;
  known[key] = value;
  if (key === "text") node.textContent = value;
  else node.setAttribute(key, value);
}

// Widths are measured once, before anything is drawn: asking between two drawings makes the browser lay out the page each time.
const widths = new WeakMap();
function measure(holders) {
  ruler.font = getComputedStyle(holders[0]).fontFamily;
  for (const holder of holders) widths.set(holder, Math.max(260, Math.round(holder.clientWidth)));
}

function canvas(holder, height, attributes) {
  const width = widths.get(holder);
  holder.replaceChildren();
  const svg = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, ...attributes }, holder);
  return { svg, width, height };
}

const at = (x, y) => `translate(${x.toFixed(2)} ${y.toFixed(2)})`;
const whose = (request, position) => ({ "data-request": request, "data-position": position });
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const mix = (from, to, part) => from + (to - from) * part;
const ease = (part) => part * part * (3 - 2 * part);

function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

const rate = (value) => (Number(value.toFixed(1)) >= 10 || value === 0 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1));

// Only what is certain reads as 0 % or 100 %; what nearly is gets more digits.
function percent(value) {
  if (value === 0 || value === 1) return `${100 * value} %`;
  const texts = [0, 1, 2].map((digits) => (digits ? (100 * value).toFixed(digits) : String(Math.round(100 * value))));
  const nearly = value > 0.5 ? "over 99.99 %" : "under 0.01 %";
  return texts.map((text) => `${text} %`).find((_, i) => ![0, 100].includes(Number(texts[i]))) ?? nearly;
}
const count = (number, noun) => `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;

// Text as wide as the browser will draw it, without laying out the page.
const ruler = { pen: document.createElement("canvas").getContext("2d"), font: "sans-serif" };
function textWidth(text, size, weight = 400) {
  ruler.pen.font = `${weight} ${size}px ${ruler.font}`;
  return ruler.pen.measureText(text).width;
}

// As many letters as fit, with an ending that says that there were more.
function fit(text, room, size, ending = "…") {
  const letters = Array.from(text);
  if (textWidth(text, size) <= room) return text;
  while (letters.length > 1 && textWidth(letters.join("") + ending, size) > room) letters.pop();
  return letters.join("") + ending;
}

const shorten = (text, most) => (Array.from(text).length > most ? `${Array.from(text).slice(0, Math.max(1, most - 1)).join("")}…` : text);

// The first round number at or above a value, for axes and dials.
function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((step) => step * unit).find((step) => step >= value * 0.999);
}

// One mark a state, centred on 0,0 in a box of 10: the same shapes on bars, crates and in the legend.
const MARKS = {
  passed: "M-4,0 L-1.2,3.2 L4.2,-3.6",
  refused: "M-3.4,-3.4 L3.4,3.4 M3.4,-3.4 L-3.4,3.4",
  behind: "M-4,-1 L-1,-4 M-4,-1 L-1,2 M-4,-1 L1.6,-1 A2.5,2.5 0 0 1 1.6,4 L-.5,4",
  own: "M-3.2,0 A3.2,3.2 0 1 1 3.2,0 A3.2,3.2 0 1 1 -3.2,0 Z",
  waiting: "M-3.5,-3.5 H3.5 V3.5 H-3.5 Z",
  loaded: "M-3.5,-3.5 H3.5 V3.5 H-3.5 Z",
  left: "M-3.5,-3.5 H3.5 V3.5 H-3.5 Z",
};
