// Turns 3D models on the pages of the console: app.js loads this when a person asks for it, and calls atelierModel.open
// with the figure that holds the picture of the model, and the words of this in the reader's language (viewer.go). The
// picture comes back when the view is closed, and stays when the model cannot be shown.
import { load, TooLarge } from "./load.js";
import { Stage, drawsIn3D } from "./stage.js";

let shown = null; // one at a time: browsers keep few pictures in 3D

const part = (figure, name) => figure.querySelector(`[data-model-${name}]`);

function say(figure, text) {
  const note = part(figure, "note");
  note.hidden = !text;
  note.textContent = text;
}

// wordsOf are the words of a figure; "{}" in one of them is what it names.
function wordsOf(figure) {
  const all = JSON.parse(figure.dataset.words);
  return (name, named = "") => (all[name] ?? "").replace("{}", () => named);
}

function megabytes(bytes) {
  const digits = bytes < 10 << 20 ? 1 : 0;
  return (bytes / (1 << 20)).toLocaleString(document.documentElement.lang || "en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

async function open(figure) {
  const turn = part(figure, "turn"), words = wordsOf(figure);
  if (figure.dataset.state === "loading" || figure.dataset.state === "open") return;
  if (!drawsIn3D()) {
    turn.hidden = true;
    return say(figure, `${words("without3D")} ${words("stays")}`);
  }
  figure.dataset.state = "loading";
  turn.disabled = true;
  say(figure, words("loading"));
  let model;
  try {
    model = await load(figure.dataset.src, figure.dataset.asked === "yes");
  } catch (err) {
    figure.dataset.state = "closed";
    turn.disabled = false;
    if (err instanceof TooLarge && err.asks) {
      figure.dataset.asked = "yes";
      turn.textContent = words("anyway");
      return say(figure, err.bytes ? words("size", megabytes(err.bytes)) : words("size8"));
    }
    turn.hidden = true;
    return say(figure, `${words(err.word ?? "refused", err.named)} ${words("stays")}`);
  }
  turn.disabled = false;
  shown?.close();
  try {
    shown = view(figure, model, words);
  } catch {
    figure.dataset.state = "closed";
    turn.hidden = true;
    say(figure, `${words("undrawn")} ${words("stays")}`);
  }
}

// tools are the buttons beside the view, which do what the keys do, by the names of their words.
/** @type {[string, string, (s: any) => void][]} */
const tools = [
  ["left", "←", (s) => s.turn(-1, 0)], ["right", "→", (s) => s.turn(1, 0)],
  ["up", "↑", (s) => s.turn(0, -1)], ["down", "↓", (s) => s.turn(0, 1)],
  ["closer", "+", (s) => s.zoom(1)], ["farther", "−", (s) => s.zoom(-1)],
  ["home", "⌂", (s) => s.home()],
];

const keys = {
  ArrowLeft: (s) => s.turn(-1, 0), ArrowRight: (s) => s.turn(1, 0), ArrowUp: (s) => s.turn(0, -1), ArrowDown: (s) => s.turn(0, 1),
  "+": (s) => s.zoom(1), "=": (s) => s.zoom(1), "-": (s) => s.zoom(-1), Home: (s) => s.home(),
};

function view(figure, model, words) {
  const room = part(figure, "stage"), turn = part(figure, "turn");
  const name = figure.dataset.name;
  const canvas = document.createElement("canvas");
  canvas.className = "model-canvas";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-roledescription", words("view"));
  canvas.setAttribute("aria-label", words("canvas", name));
  room.append(canvas);
  let stage;
  const bar = document.createElement("div");
  const close = () => {
    stage?.dispose();
    canvas.remove();
    bar.remove();
    figure.dataset.state = "closed";
    turn.hidden = false;
    turn.textContent = words("turn");
    if (shown?.figure === figure) shown = null;
  };
  try {
    figure.dataset.state = "open"; // the canvas has its size by now
    stage = new Stage(canvas, model, () => {
      close();
      say(figure, words("lost"));
    });
  } catch (err) {
    close();
    throw err;
  }
  canvas.addEventListener("keydown", (e) => {
    const act = e.ctrlKey || e.metaKey || e.altKey ? null : keys[e.key];
    if (!act) return;
    e.preventDefault();
    e.stopPropagation();
    act(stage);
  });
  bar.className = "model-bar";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", words("bar", name));
  for (const [word, sign, act] of tools) {
    const label = words(word);
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn", title: label });
    button.setAttribute("aria-label", label);
    button.append(Object.assign(document.createElement("span"), { textContent: sign, ariaHidden: "true" }));
    button.addEventListener("click", () => act(stage));
    bar.append(button);
  }
  const back = Object.assign(document.createElement("button"), { type: "button", className: "btn", textContent: words("back") });
  back.addEventListener("click", () => { close(); say(figure, ""); turn.focus(); });
  bar.append(back);
  room.after(bar);
  turn.hidden = true;
  say(figure, words("how"));
  canvas.focus({ preventScroll: true });
  return { close, figure };
}

globalThis.atelierModel = { open };
