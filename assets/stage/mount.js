// The stage as a component of its own. The story brings its own mount instead.
const stages = new WeakMap(); // one stage a mounted element; Streamlit calls again with the same element for every new picture

export default function mount(component) {
  const root = component.parentElement.querySelector(".xp");
  if (!stages.has(root)) stages.set(root, new Stage(root));
  const stage = stages.get(root);
  const before = stage.latest;
  stage.latest = component;
  stage.receive(component);
  return () => {
    if (root.isConnected) return overtaken(stage, component, before);
    stage.end();
    return stages.delete(root);
  };
}

// Two calls can arrive in the wrong order while the script is still loading. Streamlit then ends the older one at once, and the picture
// before it was the newer. A call that is ended because a third one follows finds that one here a moment later.
function overtaken(stage, component, before) {
  setTimeout(() => {
    if (!before || stage.latest !== component) return;
    stage.latest = before;
    stage.receive(before);
  }, 100);
}
