// A figure of the page as one SVG that needs no style sheet: boxes, lines of text and pictures, each where the browser has laid it out.
const NAMES = "http://www.w3.org/2000/svg";
const SCALE = 2; // pixels of a PNG for one of the page
const EDGE = 12; // px around a figure
const INHERITED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity",
  "font-family", "font-size", "font-weight", "font-style", "text-anchor", "paint-order", "dominant-baseline"];
const OWN = { opacity: "1", "clip-path": "none", "stop-color": "rgb(0, 0, 0)" }; // not inherited, with the values that say nothing
const SILENT = /^(style|class|role|tabindex|aria-.*|data-.*|visibility|xmlns.*|pointer-events)$/; // attributes that draw nothing
const LEFT_OUT = "button, select, input, nav, style, script, [role=status], .xp-hidden, .xp-transport, .xp-inspect, .modebar-container";

// What can be saved from the page, by the words that name it: a stage by its label, a chart by the heading above it. Several of a name
// are numbered.
function figuresOn(page) {
  const holders = [...page.querySelectorAll(".xp, .js-plotly-plot .svg-container")].filter((one) => one.getBoundingClientRect().width);
  const headings = [...page.querySelectorAll("h1, h2, h3")];
  const above = (one) => headings.findLast((heading) => heading.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  const named = holders.map((holder) => ({ holder, title: holder.getAttribute("aria-label") ?? above(holder)?.firstChild.textContent.trim() ?? "Chart" }));
  return named.map(({ holder, title }, at) => {
    const same = named.filter((one) => one.title === title);
    return { holder, title: same.length > 1 ? `${title}, ${same.indexOf(named[at]) + 1}` : title };
  });
}

// → {text, width, height}: the SVG as text and its size in px, cut to what is drawn.
function drawn({ holder, title }) {
  const layer = node("g", {});
  const ink = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  lay(holder, layer, ink);
  const [x, y] = [Math.floor(ink.left) - EDGE, Math.floor(ink.top) - EDGE];
  const [width, height] = [Math.ceil(ink.right) + EDGE - x, Math.ceil(ink.bottom) + EDGE - y];
  layer.setAttribute("transform", `translate(${-x} ${-y})`);
  const svg = node("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  node("title", {}, svg).textContent = title;
  node("rect", { width, height, fill: ground(holder) }, svg);
  svg.append(layer);
  return { text: new XMLSerializer().serializeToString(svg), width, height };
}

function spread(ink, { left, top, right, bottom }) {
  Object.assign(ink, { left: Math.min(ink.left, left), top: Math.min(ink.top, top), right: Math.max(ink.right, right), bottom: Math.max(ink.bottom, bottom) });
}

// The first colour behind the figure that is one.
function ground(element) {
  for (let behind = element; behind; behind = behind.parentElement) {
    const colour = getComputedStyle(behind).backgroundColor;
    if (alpha(colour) > 0.5) return plain(colour);
  }
  return "#ffffff";
}

function lay(element, svg, ink) {
  if (element.matches(LEFT_OUT)) return;
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility === "hidden") return;
  if (element.localName === "svg") return picture(element, svg, ink);
  box(element, style, svg, ink);
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) lines(child, style, svg, ink);
    else if (child.nodeType === Node.ELEMENT_NODE) lay(child, svg, ink);
  }
}

function box(element, style, svg, ink) {
  const place = element.getBoundingClientRect();
  const { left, top, width, height } = place;
  const [edge, side] = [parseFloat(style.borderTopWidth), parseFloat(style.borderLeftWidth)];
  const filled = alpha(style.backgroundColor) > 0;
  if (!width || !height || (!filled && !edge && !side)) return;
  spread(ink, place);
  const size = { x: left + edge / 2, y: top + edge / 2, width: width - edge, height: height - edge };
  const round = Math.min(parseFloat(style.borderTopLeftRadius) || 0, height / 2);
  const line = edge ? { stroke: plain(style.borderTopColor), "stroke-width": edge } : {};
  node("rect", { ...size, rx: round, fill: filled ? plain(style.backgroundColor) : "none", ...line }, svg);
  if (side > edge) node("rect", { x: left, y: top, width: side, height, fill: plain(style.borderLeftColor) }, svg);
}

// A text node's lines, each as wide as the browser made it, so that another font does not move anything.
function lines(text, style, svg, ink) {
  const range = document.createRange();
  const found = [];
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const place = range.getBoundingClientRect();
    const line = found.at(-1);
    if (!place.width) continue;
    if (line && Math.abs(line.top - place.top) < 2) Object.assign(line, { words: `${line.words} ${word}`, right: place.right });
    else found.push({ words: word, left: place.left, right: place.right, top: place.top, bottom: place.bottom });
  }
  const size = parseFloat(style.fontSize);
  const look = { "font-family": style.fontFamily, "font-size": size, "font-weight": style.fontWeight, fill: plain(style.color) };
  for (const line of found) {
    spread(ink, line);
    const place = { x: line.left.toFixed(2), y: ((line.top + line.bottom) / 2 + size * 0.34).toFixed(2) };
    const wide = { textLength: (line.right - line.left).toFixed(2), lengthAdjust: "spacingAndGlyphs" };
    node("text", { ...place, ...wide, ...look }, svg).textContent = line.words;
  }
}

function picture(source, svg, ink) {
  const place = source.getBoundingClientRect();
  const copy = copied(source, {});
  if (!copy || !place.width) return;
  spread(ink, place);
  const { left: x, top: y, width, height } = place;
  for (const [name, value] of Object.entries({ x, y, width, height, overflow: "hidden" })) copy.setAttribute(name, value);
  svg.append(copy);
}

// A drawing with its looks as attributes. What is hidden stays behind; so do event targets, which nobody sees.
function copied(source, above) {
  const style = getComputedStyle(source);
  if (style.display === "none" || source.matches("title, .xp-hit")) return null;
  const copy = document.createElementNS(NAMES, source.localName);
  const own = {};
  for (const name of INHERITED) {
    own[name] = colour(name) ? plain(style.getPropertyValue(name)) : style.getPropertyValue(name);
    if (own[name] !== above[name]) copy.setAttribute(name, own[name]);
  }
  for (const { name, value } of source.attributes) {
    if (!INHERITED.includes(name) && !SILENT.test(name)) copy.setAttribute(name, inside(value));
  }
  for (const [name, usual] of Object.entries(OWN)) {
    const value = style.getPropertyValue(name);
    if (value && value !== usual) copy.setAttribute(name, name.endsWith("color") ? plain(value) : inside(value));
  }
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE) {
      const part = copied(child, own);
      if (part) copy.append(part);
    }
  }
  if (source.localName === "text" && source.textContent && !source.children.length) {
    copy.setAttribute("textLength", source.getComputedTextLength().toFixed(2));
    copy.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  const hidden = style.visibility === "hidden";
  return hidden && ![...copy.children].length ? null : copy;
}

// A reference to a part of the page is one to a part of the picture.
const inside = (value) => value.replace(/url\(["']?[^"')#]*(#[^"')]+)["']?\)/g, "url($1)");
const colour = (name) => name === "fill" || name === "stroke";

function node(name, attributes, parent = null) {
  const one = document.createElementNS(NAMES, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  parent?.append(one);
  return one;
}

// Colours as every drawing program reads them: a browser may compute color(srgb …), which few others know.
const brush = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
const mixed = new Map();

function channels(value) {
  if (!mixed.has(value)) {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = value;
    brush.fillRect(0, 0, 1, 1);
    mixed.set(value, [...brush.getImageData(0, 0, 1, 1).data]);
  }
  return mixed.get(value);
}

const alpha = (value) => channels(value)[3] / 255;

function plain(value) {
  if (!/^(rgb|color|hsl|oklab|oklch|lab|lch|#)/.test(value)) return value; // none, url(…), currentcolor
  const [red, green, blue, seenThrough] = channels(value);
  return seenThrough === 255 ? `rgb(${red},${green},${blue})` : `rgba(${red},${green},${blue},${(seenThrough / 255).toFixed(3)})`;
}

// The SVG as a PNG, twice as fine as the screen's pixels.
async function painted({ text, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: SCALE * width, height: SCALE * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}
