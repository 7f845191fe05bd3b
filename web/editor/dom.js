// Small helpers to make and find elements.

export const $ = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

const svgTags = new Set(["svg", "path", "g", "rect"]);

// h makes an element: h("button.btn", {type: "button", onclick: act}, "Save"). Attributes that are null, undefined or
// false are left out; a name with "on" is a listener.
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const el = svgTags.has(name) ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  if (classes.length) el.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else if (key === "value") el.value = value;
    else if (key === "checked") el.checked = value;
    else el.setAttribute(key, value === true ? "" : value);
  }
  el.append(...children.flat().filter((child) => child != null && child !== false));
  return el;
}

// icon is a drawing that the page brought along (see editor.templ).
export function icon(name) {
  const drawn = $(`#editor-icons [data-icon="${name}"] svg`);
  return drawn ? drawn.cloneNode(true) : "";
}

// say speaks a sentence to screen readers.
export function say(words) {
  const live = $("#live");
  if (live) live.textContent = words;
}

// later calls act once, when nothing has asked for it for some milliseconds.
export function later(milliseconds, act) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), milliseconds);
  };
}
