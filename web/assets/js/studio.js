// The order of a production's shots by drag, and by arrow keys on the same handle. Without this file the buttons "Up"
// and "Down" do it: all shots are fields of one form, and what is sent is the order in which they stand. The form has the
// words that are said.
(() => {
  "use strict";
  const doc = document;
  const shotOf = (el) => (el instanceof Element ? el.closest("[data-shot]") : null);
  const handleOf = (el) => (el instanceof Element ? el.closest("[data-shot-handle]") : null);
  const say = (text) => { const live = doc.getElementById("live"); if (live) live.textContent = text; };
  const formOf = () => doc.querySelector("form[data-shot-order]");
  const move = { shot: null, list: null, before: null };

  function show() {
    for (const handle of doc.querySelectorAll("[data-shot-handle]")) handle.hidden = false;
  }

  const place = (shot) => [...shot.parentElement.querySelectorAll("[data-shot]")].indexOf(shot) + 1;

  function begin(shot) {
    Object.assign(move, { shot, list: shot.parentElement, before: shot.nextElementSibling });
    shot.classList.add("shot-moving");
  }

  // end drops the shot where it is, or puts it back. What is sent are the fields in the order of the page.
  function end(drop) {
    const { shot, list, before } = move;
    if (!shot) return;
    move.shot = null;
    shot.classList.remove("shot-moving");
    if (!drop) return void list.insertBefore(shot, before);
    if (shot.nextElementSibling === before) return;
    const form = formOf();
    const moved = form.elements.namedItem("moved") ?? form.appendChild(Object.assign(doc.createElement("input"), { type: "hidden", name: "moved" }));
    moved.value = shot.id.replace(/^shot-/, "");
    form.requestSubmit();
  }

  doc.addEventListener("dragstart", (e) => {
    const handle = handleOf(e.target);
    if (!handle) return;
    begin(shotOf(handle));
    e.dataTransfer.effectAllowed = "move";
    e.dataTransfer.setData("text/plain", move.shot.id);
    e.dataTransfer.setDragImage(move.shot, 20, 20);
  });
  doc.addEventListener("dragover", (e) => {
    const over = shotOf(e.target);
    if (!move.shot || !over || over.parentElement !== move.list) return;
    e.preventDefault();
    if (over === move.shot) return;
    const box = over.getBoundingClientRect();
    move.list.insertBefore(move.shot, e.clientY < box.top + box.height / 2 ? over : over.nextElementSibling);
  });
  doc.addEventListener("drop", (e) => { if (move.shot) { e.preventDefault(); end(true); } });
  doc.addEventListener("dragend", () => end(false));

  doc.addEventListener("keydown", (e) => {
    const handle = handleOf(e.target);
    if (!handle || e.ctrlKey || e.metaKey || e.altKey) return;
    const shot = shotOf(handle);
    if (e.key === "ArrowUp" || e.key === "ArrowDown") {
      if (!move.shot) begin(shot);
      const beside = e.key === "ArrowUp" ? shot.previousElementSibling : shot.nextElementSibling;
      if (beside) {
        if (e.key === "ArrowUp") beside.before(shot); else beside.after(shot);
        handle.focus();
        shot.scrollIntoView({ block: "nearest" });
      }
      const all = shot.parentElement.querySelectorAll("[data-shot]").length;
      say(formOf().dataset.place.replace("{place}", place(shot)).replace("{all}", all));
    } else if ((e.key === "Enter" || e.key === " ") && move.shot) {
      end(true);
    } else if (e.key === "Escape" && move.shot) {
      end(false);
      handle.focus();
      say(formOf().dataset.back);
    } else {
      return;
    }
    e.preventDefault();
  });
  doc.addEventListener("focusout", (e) => { if (move.shot && handleOf(e.target) && !e.relatedTarget?.closest?.("[data-shot-handle]")) setTimeout(() => {
    if (move.shot && !move.shot.contains(doc.activeElement)) end(false);
  }, 100); });

  doc.addEventListener("htmx:after:swap", show);
  show();
})();
