// A saved run plays by itself: the steps lie in the page, and the stage's wishes are answered from them.
const steps = JSON.parse(document.getElementById("steps").textContent);
const holder = document.getElementById("stage");
const requests = document.getElementById("words");
let at = steps.length - 1;
let picture = 0;

function show(settle) {
  picture += 1;
  const { stage, words } = steps[at];
  const hear = (_, wish) => setTimeout(() => answer(wish.kind)); // after the stage has noted what it asked for
  mountStage({ parentElement: holder, data: { ...stage, revision: `${at}.${picture}`, settle }, setTriggerValue: hear });
  mountWords({ parentElement: requests, data: words });
}

function answer(kind) {
  if (kind === "advance") at = (at + 1) % steps.length;
  else at = kind === "back" ? Math.max(at - 1, 0) : 0;
  show("load");
}

show("load");
