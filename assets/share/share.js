// The row: a link to what is on screen and the page's figures. Nothing leaves the browser, and Python hears of nothing.
const rows = new WeakMap(); // one row a mounted element; Streamlit calls again with the same element for every new step

function made(tag, className, parent, text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
}

class Row {
  constructor(root) {
    this.root = root;
    const row = made("div", "sh-row", root);
    const button = (act) => {
      const one = made("button", "", row);
      one.type = "button";
      one.addEventListener("click", act);
      return one;
    };
    this.copier = button(() => this.copy());
    this.drawer = button(() => this.list());
    this.drawer.setAttribute("aria-expanded", "false");
    this.says = made("p", "sh-says", root);
    this.says.setAttribute("role", "status");
    this.below = made("div", "", root);
  }

  receive({ data }) {
    if (this.data && this.address(this.data) !== this.address(data)) this.clear(); // what it said was about another step
    this.data = data;
    this.root.dataset.link = this.address(data);
    for (const [button, label] of [[this.copier, data.text.copy], [this.drawer, data.text.figure]]) {
      if (button.textContent !== label) button.textContent = label;
    }
  }

  clear() {
    this.says.textContent = "";
    this.below.replaceChildren();
    this.drawer.setAttribute("aria-expanded", "false");
  }

  // The page's own address, with what Python says about the step. Where the address stands, it is only completed.
  address({ query, stands }) {
    const link = new URL(location.pathname, location.origin);
    if (stands) link.search = location.search;
    for (const [name, value] of Object.entries(query)) if (!link.searchParams.has(name)) link.searchParams.set(name, value);
    return link.href;
  }

  async copy() {
    const { text, says } = this.data;
    const link = this.address(this.data);
    this.clear();
    try {
      await navigator.clipboard.writeText(link);
      this.says.textContent = `${text.copied} ${says}`;
    } catch {
      this.says.textContent = `${says} ${text.by_hand}`;
      const field = made("input", "", this.below);
      Object.assign(field, { type: "text", readOnly: true, value: link });
      field.setAttribute("aria-label", text.address);
      field.select();
    }
  }

  list() {
    const open = this.drawer.getAttribute("aria-expanded") === "true";
    this.clear();
    if (open) return;
    const figures = figuresOn(document);
    if (!figures.length) this.says.textContent = this.data.text.no_figure;
    else this.drawer.setAttribute("aria-expanded", "true");
    const list = made("ul", "sh-figures", this.below);
    for (const [at, figure] of figures.entries()) {
      const item = made("li", "", list);
      made("span", "", item, figure.title);
      for (const kind of ["SVG", "PNG"]) {
        const button = made("button", "", item, kind);
        button.type = "button";
        button.setAttribute("aria-label", `${this.data.text.figure}: ${figure.title}, ${kind}`);
        button.addEventListener("click", () => this.save(figure, kind, `${this.data.name}${at ? `-${at + 1}` : ""}.${kind.toLowerCase()}`));
      }
    }
  }

  async save(figure, kind, name) {
    try {
      const picture = drawn(figure);
      const blob = kind === "SVG" ? new Blob([picture.text], { type: "image/svg+xml" }) : await painted(picture);
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      this.says.textContent = this.data.text.saved.replace("{name}", name);
    } catch {
      this.says.textContent = this.data.text.failed;
    }
  }
}

export default function mount(component) {
  const root = component.parentElement.querySelector(".sh");
  if (!rows.has(root)) rows.set(root, new Row(root));
  rows.get(root).receive(component);
}
