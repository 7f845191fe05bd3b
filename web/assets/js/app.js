// What the console adds to plain pages. Every page works without it: this file opens dialogs in place of pages,
// copies, counts down, keeps times current, moves the focus and listens to keys.
(() => {
  "use strict";
  const doc = document;
  const nonce = doc.currentScript?.nonce;
  const $ = (selector, /** @type {ParentNode} */ root = doc) => root.querySelector(selector);
  const all = (selector, /** @type {ParentNode} */ root = doc) => [...root.querySelectorAll(selector)];

  // What is said here comes with the page, in the language of its reader (web/ui/script_words.go).
  const says = JSON.parse($("#live")?.dataset.words ?? "{}");

  // say announces a result to screen readers.
  function say(text) {
    const live = $("#live");
    if (!live) return;
    live.textContent = "";
    setTimeout(() => { live.textContent = text; }, 50);
  }

  // ---- dialogs: the focus returns to what opened them

  // A link acts when Enter goes down, a button at the keypress that follows: until Enter is up again it must not
  // press the Cancel of the dialog that it has just opened.
  const enter = { down: false, opened: false };

  function openDialog(id, opener) {
    const dialog = doc.getElementById(id);
    if (!(dialog instanceof HTMLDialogElement) || dialog.open) return false;
    dialog.addEventListener("close", () => opener?.focus?.(), { once: true });
    dialog.showModal();
    enter.opened = enter.down;
    return true;
  }

  doc.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    enter.down = true;
    if (enter.opened) e.preventDefault();
  }, true);
  doc.addEventListener("keypress", (e) => { if (e.key === "Enter" && enter.opened) e.preventDefault(); }, true);
  doc.addEventListener("keyup", (e) => { if (e.key === "Enter") enter.down = enter.opened = false; }, true);
  window.addEventListener("blur", () => { enter.down = enter.opened = false; });

  doc.addEventListener("click", (e) => {
    const target = e.target instanceof Element ? e.target : null;
    const plain = !(e.ctrlKey || e.metaKey || e.shiftKey || e.button);
    const opener = target?.closest("[data-dialog-open]");
    if (opener && plain && openDialog(opener.dataset.dialogOpen, opener)) return e.preventDefault();
    if (target?.closest("[data-print]")) return void window.print();
    if (target?.closest("[data-dialog-close]")) return target.closest("dialog")?.close();
    if (target instanceof HTMLDialogElement && outside(target, e)) return target.close();
    const copy = target?.closest("[data-copy]");
    if (copy) return void copyText(copy);
    const key = target?.closest("[data-key]");
    if (key && key.type === "button") return projectorKey(key.dataset.key);
    for (const menu of all("details[data-menu][open]")) if (!menu.contains(target)) menu.open = false;
  });

  function outside(dialog, e) {
    const r = dialog.getBoundingClientRect();
    return e.clientX < r.left || e.clientX > r.right || e.clientY < r.top || e.clientY > r.bottom;
  }

  // ---- selected rows: the head selects all of a page, the bar below says how many there are

  const boxes = (root) => all(".row-check input[type=checkbox]", root);

  function countSelected(root) {
    const list = root?.closest(".list");
    const rows = list ? boxes(list) : [];
    const n = rows.filter((box) => box.checked).length;
    for (const el of all("[data-selected]", list ?? doc.createElement("p"))) el.textContent = n > 1 ? says.many.replace("{}", n) : n ? says.one : says.none;
    for (const el of all("[data-check-all]", list ?? doc.createElement("p"))) el.classList.toggle("on", n > 0 && n === rows.length);
  }

  doc.addEventListener("click", (e) => {
    const head = e.target instanceof Element ? e.target.closest("[data-check-all]") : null;
    if (!head || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    e.preventDefault();
    const rows = boxes(head.closest("table, .list"));
    const on = rows.some((box) => !box.checked);
    rows.forEach((box) => { box.checked = on; });
    countSelected(head);
  });
  doc.addEventListener("change", (e) => { if (e.target.closest?.(".row-check")) countSelected(e.target); });

  // ---- copying

  async function copyText(button) {
    const word = $("[data-copy-text]", button) ?? button;
    const before = button.dataset.copyBefore ??= word.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      word.textContent = says.copied;
    } catch {
      word.textContent = says.byHand;
    }
    say(word.textContent);
    setTimeout(() => { word.textContent = before; }, 2500);
  }

  // ---- a form that was refused with 429 is sent again when its time has come

  function countDown(form) {
    if (form.dataset.counting) return;
    form.dataset.counting = "1";
    const until = Date.now() + Number(form.dataset.retryAfter) * 1000;
    const left = $("[data-retry-left]", form);
    const note = $("[data-retry-note]", form);
    if (note) note.hidden = false;
    const buttons = all("button", form);
    buttons.forEach((b) => { b.disabled = true; });
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      if (left) left.textContent = String(seconds);
      if (!form.isConnected) return clearInterval(timer);
      if (seconds > 0) return;
      clearInterval(timer);
      buttons.forEach((b) => { b.disabled = false; });
      if (form.checkValidity()) form.requestSubmit();
    }, 250);
  }

  // ---- a form that goes on by itself: once, not again when somebody comes back to the page

  function sendOnce(form) {
    const [visit] = performance.getEntriesByType("navigation");
    if (form.dataset.sent || visit?.type === "back_forward") return;
    form.dataset.sent = "1";
    form.requestSubmit();
  }

  // ---- times: the service writes them in the zone that the browser tells it here; how long ago they are stays current

  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !doc.cookie.split("; ").includes(`atelier_zone=${zone}`)) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    doc.cookie = `atelier_zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
  }

  const lang = doc.documentElement.lang;
  const spoken = lang && lang !== "en" ? new Intl.RelativeTimeFormat(lang, { style: "short", numeric: "auto" }) : null;

  function relative(t) {
    const seconds = Math.round((Date.now() - t) / 1000);
    const size = Math.abs(seconds);
    if (spoken) {
      if (size < 45) return spoken.format(0, "second"); // "now"
      if (size < 3570) return spoken.format(-(Math.round(seconds / 60) || 1), "minute");
      if (size < 79200) return spoken.format(-Math.round(seconds / 3600), "hour");
      return size < 2592000 ? spoken.format(-Math.round(seconds / 86400), "day") : "";
    }
    const told = (n) => (seconds >= 0 ? `${n} ago` : `in ${n}`);
    if (size < 45) return "just now";
    if (size < 3570) return told(`${Math.max(1, Math.round(size / 60))} min`);
    if (size < 79200) return told(`${Math.round(size / 3600)} h`);
    if (size < 129600) return seconds >= 0 ? "yesterday" : "tomorrow";
    if (size < 2592000) return told(`${Math.round(size / 86400)} days`);
    return "";
  }

  function showTimes(root = doc) {
    for (const el of all("time [data-ago]", root)) {
      const t = new Date(el.closest("time").dateTime);
      if (Number.isNaN(t.getTime())) continue;
      const text = relative(t);
      if (el.textContent !== text) el.textContent = text;
    }
  }

  // ---- keys; off while typing, and for good when switched off

  const remembered = "atelier.shortcuts";
  const shortcuts = { on: read() !== "off", go: 0 };
  function read() { try { return localStorage.getItem(remembered); } catch { return null; } }
  function remember(on) { try { localStorage.setItem(remembered, on ? "on" : "off"); } catch { /* private window */ } }

  doc.addEventListener("change", (e) => {
    if (!e.target.matches?.("[data-shortcuts]")) return;
    shortcuts.on = e.target.checked;
    remember(shortcuts.on);
    say(shortcuts.on ? says.keysOn : says.keysOff);
  });

  const typing = (el) => el instanceof Element && (el.matches("input:not([type=checkbox],[type=radio]), textarea, select") || el.isContentEditable);

  doc.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      const menu = $("details[data-menu][open]");
      if (menu) { menu.open = false; $("summary", menu).focus(); }
      return;
    }
    if (moveInSearch(e)) return e.preventDefault();
    if (shortcuts.on && (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === "k" && !typing(e.target) && !$("dialog[open]")) {
      if (openSearch()) e.preventDefault();
      return;
    }
    if (!shortcuts.on || e.ctrlKey || e.metaKey || e.altKey || e.repeat || typing(e.target)) return;
    if ($("dialog[open]")) return;
    if (press(e.key)) e.preventDefault();
  });

  // press does what a key stands for and reports whether it stood for anything.
  function press(key) {
    if (Date.now() - shortcuts.go < 1500) {
      shortcuts.go = 0;
      const link = $(`[data-go="${CSS.escape(key)}"]`);
      if (link) link.click();
      return Boolean(link);
    }
    if ($("[data-projector]") && projectorKey(key)) return true;
    switch (key) {
      case "?": return openDialog("help", doc.activeElement);
      case "/": return focusOn(all("[data-search]").find((el) => el.checkVisibility?.() ?? true)) || openSearch();
      case "g": shortcuts.go = Date.now(); return true;
      case "j": return moveRow(1);
      case "k": return moveRow(-1);
      case "x": return rowDo((row) => $("input[type=checkbox]", row)?.click());
      case "e": return rowDo((row) => { if (row.dataset.href) location.assign(row.dataset.href); });
    }
    return false;
  }

  function focusOn(el) {
    el?.focus();
    return Boolean(el);
  }

  // ---- the search: arrow keys move from the field through what was found and back, Enter opens the first

  function openSearch() {
    const opened = openDialog("search", doc.activeElement);
    if (opened) $("#search [data-search-field]").select();
    return opened;
  }

  function moveInSearch(e) {
    const dialog = $("dialog#search[open]");
    if (!dialog || e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return false;
    const field = $("[data-search-field]", dialog);
    const stops = [field, ...all("[data-found]", dialog)];
    const at = stops.indexOf(doc.activeElement);
    if (e.key === "Enter" && at === 0) {
      const fresh = $("[data-search-for]", dialog)?.dataset.searchFor === field.value.trim();
      if (fresh && stops[1]) stops[1].click();
      return Boolean(fresh && stops[1]);
    }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp" || at < 0) return false;
    const next = stops[at + (e.key === "ArrowDown" ? 1 : -1)];
    next?.focus();
    return true;
  }

  function moveRow(step) {
    const rows = all("[data-row]");
    if (!rows.length) return false;
    const at = rows.indexOf(doc.activeElement?.closest("[data-row]"));
    const row = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
    row.tabIndex = -1;
    return focusOn(row);
  }

  function rowDo(act) {
    const row = doc.activeElement?.closest("[data-row]");
    if (row) act(row);
    return Boolean(row);
  }

  // ---- projector: awake, without pointer, by three keys

  function projectorKey(key) {
    const code = all("[data-code]");
    switch (key) {
      case "f":
        if (doc.fullscreenElement) doc.exitFullscreen(); else doc.documentElement.requestFullscreen?.().catch(() => {});
        return true;
      case "h":
        code.forEach((el) => { el.hidden = !el.hidden; });
        all("[data-code-hidden]").forEach((el) => { el.hidden = !code[0]?.hidden; });
        return true;
      case "d":
        $("form [data-key=d]")?.click();
        return true;
    }
    return false;
  }

  function startProjector() {
    let lock = null, timer = 0;
    const awake = async () => {
      if (doc.visibilityState !== "visible" || lock) return;
      try {
        lock = await navigator.wakeLock.request("screen");
        lock.addEventListener("release", () => { lock = null; });
      } catch { /* not allowed here: the screen may sleep */ }
    };
    const stir = () => {
      doc.body.classList.remove("idle");
      clearTimeout(timer);
      timer = setTimeout(() => doc.body.classList.add("idle"), 4000);
    };
    doc.addEventListener("visibilitychange", awake);
    for (const kind of ["pointermove", "pointerdown", "keydown"]) doc.addEventListener(kind, stir);
    awake();
    stir();
  }

  // ---- tables of squares: arrow keys move through them, and what is pointed at is said below

  function readSquare(square) {
    const line = square && $(".week-readout", square.closest("figure"));
    const words = square && $(".week-tip", square);
    if (line && words) line.textContent = words.textContent;
  }

  doc.addEventListener("pointerover", (e) => readSquare(e.target.closest?.("[data-grid] [role=gridcell]")));
  doc.addEventListener("focusin", (e) => readSquare(e.target.closest?.("[data-grid] [role=gridcell]")));
  doc.addEventListener("keydown", (e) => {
    const square = e.target.closest?.("[data-grid] [role=gridcell]");
    if (!square || e.ctrlKey || e.metaKey || e.altKey) return;
    const row = square.parentElement;
    const squares = all("[role=gridcell]", row);
    const at = squares.indexOf(square);
    const beside = (other) => other && all("[role=gridcell]", other)[at];
    const to = { ArrowLeft: squares[at - 1], ArrowRight: squares[at + 1], Home: squares[0], End: squares.at(-1),
      ArrowUp: beside(row.previousElementSibling), ArrowDown: beside(row.nextElementSibling) }[e.key];
    if (!to) return;
    e.preventDefault();
    square.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });

  // ---- the countdown to a closing time; at its end the page says what is now

  function countdown(el) {
    const end = new Date(el.dateTime).getTime();
    const two = (n) => String(n).padStart(2, "0");
    const timer = setInterval(() => {
      const s = Math.max(0, Math.round((end - Date.now()) / 1000));
      const minutes = Math.floor(s / 60) % 60, hours = Math.floor(s / 3600);
      const text = hours ? `${hours}:${two(minutes)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`;
      if (el.textContent !== text) el.textContent = text;
      if (s > 0) return;
      clearInterval(timer);
      setTimeout(() => location.reload(), 1000);
    }, 500);
  }

  // ---- the prompt helper beside a field: its page in a dialog, and the prompt goes into the field

  const helper = { field: null, dialog: null };

  async function showHelper(response) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const part = page.getElementById("prompt-help");
    if (!part || !helper.dialog) return void location.assign(response.url);
    const room = $("[data-prompt-room]", helper.dialog);
    room.replaceChildren(doc.importNode(part, true));
    all("form", room).forEach((form) => { const back = form.elements.namedItem("back"); if (back && !back.value) back.remove(); });
    refresh(room);
    for (const use of all("[data-prompt-use]", room)) use.textContent = says.use;
    const first = $("[data-error-summary]", room) ?? $("[data-prompt-text]", room) ?? $("textarea", room);
    if (first) { if (first.tabIndex < 0) first.tabIndex = -1; first.focus(); }
  }

  async function openHelper(link) {
    helper.field = doc.getElementById(link.dataset.promptHelp);
    if (!helper.field) return false;
    if (!helper.dialog) {
      helper.dialog = doc.createElement("dialog");
      helper.dialog.className = "dialog prompt-dialog";
      helper.dialog.setAttribute("aria-labelledby", "prompt-dialog-title");
      const made = (name, attributes, ...children) => { const el = Object.assign(doc.createElement(name), attributes); el.append(...children); return el; };
      const close = made("button", { type: "button", className: "btn quiet" }, says.close), room = made("div", { className: "stack" });
      close.dataset.dialogClose = room.dataset.promptRoom = "";
      helper.dialog.append(made("div", { className: "prompt-dialog-head" }, made("h2", { id: "prompt-dialog-title" }, says.helper), close), room);
      doc.body.append(helper.dialog);
    }
    helper.dialog.addEventListener("close", () => (helper.used ?? link).focus(), { once: true });
    helper.used = null;
    const url = new URL(link.href);
    url.searchParams.set("back", "/");
    url.searchParams.set("field", "prompt");
    if (helper.field.value.trim()) url.searchParams.set("idea", helper.field.value.trim().slice(0, 4000));
    $("[data-prompt-room]", helper.dialog).textContent = says.moment;
    if (!helper.dialog.open) helper.dialog.showModal();
    enter.opened = enter.down;
    await showHelper(await fetch(url, { credentials: "same-origin" }));
    return true;
  }

  doc.addEventListener("click", (e) => {
    if (!(e.target instanceof Element) || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    const link = e.target.closest("a[data-prompt-help]");
    if (link && doc.getElementById(link.dataset.promptHelp)) { e.preventDefault(); return void openHelper(link); }
    const use = e.target.closest("[data-prompt-use]");
    if (!use || !helper.dialog?.contains(use)) return;
    e.preventDefault();
    helper.field.value = $("[data-prompt-text]", helper.dialog).textContent;
    helper.field.dispatchEvent(new Event("input", { bubbles: true }));
    helper.used = doc.getElementById(helper.field.id) ?? helper.field;
    helper.dialog.close();
    say(says.filled);
  });

  doc.addEventListener("submit", async (e) => {
    /** @type {any} */
    const form = e.target;
    if (!helper.dialog?.contains(form) || form.dataset.promptLeave) return;
    e.preventDefault();
    e.stopPropagation();
    await showHelper(await fetch(form.action, { method: "POST", credentials: "same-origin", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) }));
  }, true);

  // ---- 3D models: what turns them is fetched when somebody asks for it

  let viewer = null;

  function withViewer(address) {
    viewer ??= new Promise((resolve, reject) => {
      const script = Object.assign(doc.createElement("script"), { src: address, nonce, onload: resolve, onerror: reject });
      doc.head.append(script);
    });
    return viewer;
  }

  doc.addEventListener("click", async (e) => {
    const button = e.target instanceof Element ? e.target.closest("[data-model-turn]") : null;
    const figure = button?.closest("[data-model]");
    if (!figure) return;
    try {
      await withViewer(button.dataset.modelTurn);
    } catch {
      viewer = null;
      const note = $("[data-model-note]", figure);
      note.hidden = false;
      note.textContent = says.viewer;
      return;
    }
    await globalThis.atelierModel.open(figure);
  });

  // ---- signing out: what the editor kept in this browser is for no one who uses it next

  doc.addEventListener("submit", (e) => {
    if (!(e.target instanceof HTMLFormElement) || e.target.getAttribute("action") !== "/auth/sign-out") return;
    doc.documentElement.dataset.signedOut = ""; // the editor keeps nothing any more, unless the person stays after all
    setTimeout(() => { delete doc.documentElement.dataset.signedOut; }, 30000);
    try {
      Object.keys(localStorage).filter((key) => key.startsWith("atelier.draft.")).forEach((key) => localStorage.removeItem(key));
    } catch { /* nothing is kept */ }
  });

  // ---- streams: a broken one is connected again by the extension, but not one whose first connection fails

  const streamTries = new WeakMap();
  const isStream = (el) => el instanceof Element && el.hasAttribute("hx-sse:connect");
  const streams = (response) => Boolean(response?.raw.ok && response.headers.get("Content-Type")?.includes("text/event-stream"));

  // A refusal, or a page to sign in at, must not take the place of what the page shows.
  doc.addEventListener("htmx:before:response", (e) => {
    const { sourceElement, response } = e.detail.ctx;
    if (isStream(sourceElement) && !streams(response)) e.preventDefault();
  });

  doc.addEventListener("htmx:finally:request", (e) => {
    const { sourceElement: el, response } = e.detail.ctx;
    if (!isStream(el) || !el.isConnected) return;
    const note = el.previousElementSibling?.matches("[data-interrupted]") ? el.previousElementSibling : null;
    if (streams(response)) {
      streamTries.delete(el);
      return void note?.remove();
    }
    const status = response?.status ?? 503;
    if (status < 500 && status !== 408 && status !== 429) return; // what it shows is gone, or no longer theirs
    const tries = streamTries.get(el) ?? 0;
    streamTries.set(el, tries + 1);
    if (!note && tries > 0 && el.tagName === "DIV") {
      el.before(Object.assign(doc.createElement("p"), { className: "small muted", textContent: says.interrupted }));
      el.previousElementSibling.dataset.interrupted = "";
      say(says.interrupted);
    }
    setTimeout(() => {
      if (el.isConnected) htmx.ajax("GET", el.getAttribute("hx-sse:connect"), { source: el });
    }, Math.min(60, 2 ** tries) * (700 + 600 * Math.random()));
  });

  // ---- a row of tabs that is wider than the page begins with the current one in its middle

  const shownTabs = new WeakSet();

  function showTab(nav) {
    const tab = $("[aria-current]", nav);
    if (!tab || shownTabs.has(nav)) return;
    shownTabs.add(nav);
    const at = tab.getBoundingClientRect(), row = nav.getBoundingClientRect();
    nav.scrollLeft += at.left + at.width / 2 - row.left - row.width / 2;
  }

  // ---- the focus follows what was loaded

  function refresh(root) {
    showTimes(root);
    all(".tabs", root).forEach(showTab);
    all("button[hidden][data-copy], button[hidden][data-dialog-open], button[hidden][data-key], button[hidden][data-print], button[hidden][data-model-turn]", root).forEach((b) => { b.hidden = false; });
    all("form[data-retry-after]", root).forEach(countDown);
    all("form[data-sent-by-itself]", root).forEach(sendOnce);
    all(".list", root).forEach((list) => countSelected(list));
    all("[data-shortcuts]", root).forEach((box) => { box.checked = shortcuts.on; });
  }

  doc.addEventListener("htmx:after:swap", (e) => {
    refresh(doc);
    const target = e.detail?.ctx?.target ?? e.target;
    const root = target instanceof Element && target.isConnected ? target : doc;
    const wrong = $("[data-error-summary]", root);
    if (wrong) return void wrong.focus();
    const heading = target?.id === "main" || target === doc.body ? $("h1", root) : null;
    if (heading) return void heading.focus();
    const flash = $("[data-flash]", root);
    if (flash) say(flash.textContent.trim());
  });

  refresh(doc);
  $("[data-error-summary]")?.focus();
  if ($("[data-projector]")) startProjector();
  all("time[data-countdown]").forEach(countdown);
  setInterval(() => showTimes(), 30000);
})();
