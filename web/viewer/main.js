// Turns 3D models on the pages of the console: app.js loads this when somebody asks for it, and calls atelierModel.open
// with the figure that holds the picture of the model. The picture comes back when the view is closed, and stays when
// the model cannot be shown.
import { load, TooLarge } from "./load.js";
import { Stage, drawsIn3D } from "./stage.js";

let shown = null; // one at a time: browsers keep few pictures in 3D

const part = (figure, name) => figure.querySelector(`[data-model-${name}]`);

function say(figure, text) {
  const note = part(figure, "note");
  note.hidden = !text;
  note.textContent = text;
}

const megabytes = (bytes) => `${(bytes / (1 << 20)).toFixed(bytes < 10 << 20 ? 1 : 0)} MB`;

async function open(figure) {
  const turn = part(figure, "turn");
  if (figure.dataset.state === "loading" || figure.dataset.state === "open") return;
  if (!drawsIn3D()) {
    turn.hidden = true;
    return say(figure, "This browser draws nothing in 3D: WebGL is missing or switched off. The picture stays, and the model can be downloaded.");
  }
  figure.dataset.state = "loading";
  turn.disabled = true;
  say(figure, "Loading the model…");
  let model;
  try {
    model = await load(figure.dataset.src, figure.dataset.asked === "yes");
  } catch (err) {
    figure.dataset.state = "closed";
    turn.disabled = false;
    if (err instanceof TooLarge && err.asks) {
      figure.dataset.asked = "yes";
      turn.textContent = "Load it all the same";
      return say(figure, `The model is large: ${err.bytes ? megabytes(err.bytes) : "more than 8 MB"}. Loading it may take a while on this device.`);
    }
    turn.hidden = true;
    return say(figure, `${err.told ?? "The model cannot be shown here."} The picture stays, and the model can be downloaded.`);
  }
  turn.disabled = false;
  shown?.close();
  try {
    shown = view(figure, model);
  } catch {
    figure.dataset.state = "closed";
    turn.hidden = true;
    say(figure, "The model cannot be drawn on this device. The picture stays, and the model can be downloaded.");
  }
}

// tools are the buttons beside the view, which do what the keys do.
/** @type {[string, string, (s: any) => void][]} */
const tools = [
  ["Turn left", "←", (s) => s.turn(-1, 0)], ["Turn right", "→", (s) => s.turn(1, 0)],
  ["Tilt up", "↑", (s) => s.turn(0, -1)], ["Tilt down", "↓", (s) => s.turn(0, 1)],
  ["Closer", "+", (s) => s.zoom(1)], ["Farther", "−", (s) => s.zoom(-1)],
  ["As at first", "⌂", (s) => s.home()],
];

const keys = {
  ArrowLeft: (s) => s.turn(-1, 0), ArrowRight: (s) => s.turn(1, 0), ArrowUp: (s) => s.turn(0, -1), ArrowDown: (s) => s.turn(0, 1),
  "+": (s) => s.zoom(1), "=": (s) => s.zoom(1), "-": (s) => s.zoom(-1), Home: (s) => s.home(),
};

function view(figure, model) {
  const room = part(figure, "stage"), turn = part(figure, "turn");
  const name = figure.dataset.name;
  const canvas = document.createElement("canvas");
  canvas.className = "model-canvas";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-roledescription", "3D view");
  canvas.setAttribute("aria-label", `${name} in 3D. The arrow keys turn it, plus and minus move closer and farther, Home shows it as at first.`);
  room.append(canvas);
  let stage;
  const bar = document.createElement("div");
  const close = () => {
    stage?.dispose();
    canvas.remove();
    bar.remove();
    figure.dataset.state = "closed";
    turn.hidden = false;
    turn.textContent = "Turn it in 3D";
    if (shown?.figure === figure) shown = null;
  };
  try {
    figure.dataset.state = "open"; // the canvas has its size by now
    stage = new Stage(canvas, model, () => {
      close();
      say(figure, "The view was lost, for this device ran out of memory for it. It can be opened again.");
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
  bar.setAttribute("aria-label", `View of ${name}`);
  for (const [label, sign, act] of tools) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn", title: label });
    button.setAttribute("aria-label", label);
    button.append(Object.assign(document.createElement("span"), { textContent: sign, ariaHidden: "true" }));
    button.addEventListener("click", () => act(stage));
    bar.append(button);
  }
  const back = Object.assign(document.createElement("button"), { type: "button", className: "btn", textContent: "Back to the picture" });
  back.addEventListener("click", () => { close(); say(figure, ""); turn.focus(); });
  bar.append(back);
  room.after(bar);
  turn.hidden = true;
  say(figure, "Drag to turn it; pinch, or turn the wheel after a click, to move closer. Arrow keys, + and − do the same, Home shows it as at first.");
  canvas.focus({ preventScroll: true });
  return { close, figure };
}

globalThis.atelierModel = { open };
