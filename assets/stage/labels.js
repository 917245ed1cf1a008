// Places labels next to points so that no label leaves the picture, crosses the curve or covers another label.
const LINE = 16; // px, height of one line of text
const SIZE = 13; // px, the larger of the labels' two sizes

const precedes = (one, other) => one.x + one.width <= other.x || one.y + one.height <= other.y;
const apart = (one, other) => precedes(one, other) || precedes(other, one);

// Samples of a polyline as small boxes, close enough that no label slips between two of them.
function boxesAlong(points) {
  const boxes = [];
  for (let i = 1; i < points.length; i += 1) {
    const [from, to] = [points[i - 1], points[i]];
    const pieces = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 6));
    for (let k = 0; k <= pieces; k += 1) {
      boxes.push({ x: mix(from.x, to.x, k / pieces) - 2, y: mix(from.y, to.y, k / pieces) - 2, width: 4, height: 4 });
    }
  }
  return boxes;
}

// Where a label goes: the first free spot around its point, nearest first, above or below as preferred. Near its point it also keeps off
// the soft obstacles, further away it may cross them: a label far from its point is worse than a dotted line behind it.
function placeLabel(text, point, bounds, { taken, soft }, prefer, weight = 700) {
  const width = textWidth(text, SIZE, weight) + 4;
  const spots = [];
  for (let away = 10; away < bounds.height; away += 9) {
    for (const side of prefer === "below" ? [1, -1] : [-1, 1]) {
      const y = side < 0 ? point.y - away - LINE : point.y + away;
      for (const shift of [-width / 2, -8, 8 - width, -26 - width, 18]) spots.push({ x: point.x + shift, y, width, height: LINE, away });
    }
  }
  const fits = spots
    .map((spot) => ({ ...spot, x: clamp(spot.x, bounds.x, bounds.x + bounds.width - width) }))
    .filter((spot) => spot.y >= bounds.y && spot.y + LINE <= bounds.y + bounds.height);
  const clear = (spot, boxes) => boxes.every((box) => apart(spot, box));
  const open = fits.filter((spot) => clear(spot, taken));
  const free = open.find((spot) => spot.away < 40 && clear(spot, soft)) ?? open[0] ?? fits[0] ?? spots[0];
  taken.push(free);
  return free;
}
