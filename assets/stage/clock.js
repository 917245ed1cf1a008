// One step's time. The playhead is a number of milliseconds; frameAt turns it into everything that the views need to know.
const TITLES = { draft: "Draft", score: "Score", sort: "Sort", load: "Load", check: "Check", deliver: "Deliver" };
const PHASES = Object.keys(TITLES);
const READ = 1000; // ms in which a caption stands before its motion begins
const MOTION = { draft: 250, score: 250, sort: 350, load: 1500, check: 250, deliver: 600 }; // with the pauses 9.2 s
const HOLD = 250; // ms in which the delivered step stands before the next is asked for
const LOOK = 520; // ms of loading's motion in which the first word that does not pay is lifted and put back

function timeline(data) {
  const names = data.words.length ? PHASES : ["draft", "check", "deliver"];
  const phases = [];
  let at = 0;
  for (const name of names) {
    phases.push({ name, start: at, motion: at + READ, end: at + READ + MOTION[name] });
    at = phases.at(-1).end;
  }
  const looks = data.reason === "peak" && data.stop < data.candidates;
  const line = { phases, total: at, looks, looking: looks ? LOOK : 0, stop: data.stop };
  line.stops = stopsOf(line);
  return line;
}

const phaseOf = (line, name) => line.phases.find((phase) => phase.name === name);

// Loading slows down towards the stop, where the reader has to look.
function admittedAt(line, ms) {
  const load = phaseOf(line, "load");
  if (!load || ms <= load.motion) return 0;
  const part = clamp((ms - load.motion) / (load.end - load.motion - line.looking), 0, 1);
  return line.stop * (1 - (1 - part) ** 1.7);
}

function msOfAdmission(line, admitted) {
  const load = phaseOf(line, "load");
  const part = line.stop ? 1 - (1 - admitted / line.stop) ** (1 / 1.7) : 1;
  return load.motion + part * (load.end - load.motion - line.looking);
}

// Where the slider and Shift+arrow may rest: the begin, every phase's end and every single admission.
function stopsOf(line) {
  const stops = [{ ms: 0, label: "the step's begin" }];
  for (const phase of line.phases) {
    if (phase.name === "load") {
      for (let k = 1; k <= line.stop; k += 1) stops.push({ ms: msOfAdmission(line, k), label: `Load: word ${k} of ${line.stop} aboard` });
      if (!line.looks) continue;
    }
    stops.push({ ms: phase.end, label: phase.name === "load" ? "Load: the stop" : TITLES[phase.name] });
  }
  return stops.filter((stop, i) => i === 0 || stop.ms > stops[i - 1].ms + 1e-6);
}

function frameAt(line, ms) {
  let index = line.phases.findIndex((phase) => ms <= phase.end + 1e-6);
  if (index < 0) index = line.phases.length - 1;
  const part = (name) => {
    const phase = phaseOf(line, name);
    return phase ? clamp((ms - phase.motion) / (phase.end - phase.motion), 0, 1) : 1;
  };
  const load = phaseOf(line, "load");
  const whole = admittedAt(line, ms);
  const admitted = whole > line.stop - 1e-4 ? line.stop : whole;
  const look = line.looks ? clamp((ms - load.end + line.looking) / line.looking, 0, 1) : 0;
  return {
    ms, index, phase: line.phases[index].name,
    drafted: part("draft"), scored: part("score"), sorted: ease(part("sort")), checked: part("check"), delivered: part("deliver"),
    admitted, // how many words are aboard; a fraction is one on its way
    aboard: Math.floor(admitted + 1e-6),
    lifted: look < 0.3 ? ease(look / 0.3) : look < 0.7 ? 1 : ease((1 - look) / 0.3), // the word that does not pay, on its way and back
    decided: admitted === line.stop && (!line.looks || look >= 0.3) && (!load || ms > load.motion),
    loading: !!load && ms > load.motion,
  };
}
