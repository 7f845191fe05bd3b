// The form to publish: fields are taken in and left out, and put into order by buttons or by dragging, without asking the
// service. Without this file the buttons do it by loading the page again.
(() => {
  "use strict";
  const place = document.querySelector("[data-publish]");
  if (!place) return;
  const inside = place.querySelector("[data-in]"), outside = place.querySelector("[data-out]"), form = place.closest("form");

  // settle says which buttons do something, and lets the preview follow.
  function settle(changed) {
    const rows = [...inside.children];
    for (const row of rows) {
      row.querySelector("[data-move=up]").disabled = row === rows[0];
      row.querySelector("[data-move=down]").disabled = row === rows.at(-1);
    }
    if (changed) form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function say(row) {
    const live = document.querySelector("#live"), rows = [...inside.children], name = row.querySelector("b").textContent;
    const values = [name, rows.indexOf(row) + 1, rows.length], said = rows.includes(row) ? place.dataset.placed : place.dataset.leftOut;
    if (live) live.textContent = said.replace(/\{(\d)\}/g, (_, at) => values[at - 1]);
  }

  place.addEventListener("change", (e) => {
    if (e.target.name !== "expose") return;
    const row = e.target.closest(".pub-row");
    (e.target.checked ? inside : outside).append(row);
    e.target.focus();
    settle(false);
    say(row);
  });

  place.addEventListener("click", (e) => {
    const button = e.target.closest("[data-move]");
    if (!button) return;
    e.preventDefault();
    const row = button.closest(".pub-row"), other = button.dataset.move === "up" ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (button.dataset.move === "up") other.before(row); else other.after(row);
    settle(true);
    (button.disabled ? row.querySelector("[data-move]:not([disabled])") : button)?.focus();
    say(row);
  });

  // ---- dragging by the handle, with a mouse, a pen or a finger

  let held = null;
  for (const grip of place.querySelectorAll("[data-grip]")) grip.hidden = false;

  place.addEventListener("pointerdown", (e) => {
    const grip = e.target.closest("[data-grip]"), row = grip?.closest(".pub-row");
    if (!grip || row.parentElement !== inside || e.button) return;
    e.preventDefault();
    held = { row, grip, before: row.previousElementSibling };
    grip.setPointerCapture(e.pointerId);
    row.classList.add("held");
  });

  place.addEventListener("pointermove", (e) => {
    if (!held) return;
    const over = [...inside.children].find((row) => row !== held.row && e.clientY > row.getBoundingClientRect().top && e.clientY < row.getBoundingClientRect().bottom);
    if (!over) return;
    const { top, height } = over.getBoundingClientRect(), low = e.clientY > top + height / 2;
    if (low && over.previousElementSibling === held.row) over.after(held.row);
    else if (!low && over.nextElementSibling === held.row) over.before(held.row);
    else if (low && over.nextElementSibling !== held.row && over !== held.row.previousElementSibling) over.after(held.row);
    else if (!low && over.previousElementSibling !== held.row && over !== held.row.nextElementSibling) over.before(held.row);
  });

  const drop = () => {
    if (!held) return;
    const { row, before } = held;
    row.classList.remove("held");
    held = null;
    settle(row.previousElementSibling !== before);
    say(row);
  };
  place.addEventListener("pointerup", drop);
  place.addEventListener("pointercancel", drop);
  settle(false);
})();
