// What the documentation adds to plain pages. Every page works without it: this file copies code, and searches while
// people type, in an index that it reads once.
(() => {
  "use strict";
  const doc = document;
  const all = (selector, /** @type {ParentNode} */ root = doc) => [...root.querySelectorAll(selector)];
  const make = (tag, props = {}) => Object.assign(doc.createElement(tag), props);

  function say(text) {
    const live = doc.getElementById("live");
    live.textContent = "";
    setTimeout(() => { live.textContent = text; }, 50);
  }

  // A long list of pages begins where its page stands.
  const nav = doc.querySelector(".docs-nav"), here = nav?.querySelector("[aria-current]");
  if (here && here.offsetTop > nav.clientHeight) nav.scrollTop = here.offsetTop - nav.clientHeight / 2;

  // ---- copying

  for (const block of all(".code")) {
    const button = make("button", { type: "button", className: "btn small-btn", textContent: "Copy" });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.querySelector("pre").textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select and copy by hand";
      }
      say(button.textContent);
      setTimeout(() => { button.textContent = "Copy"; }, 2500);
    });
    block.append(button);
  }

  // ---- searching, as the server does (web/docs/search.go)

  const MOST = 20, OF_ONE = 3, SNIPPET = 160;
  const weighed = (section, score) => {
    if (section === "Guides") return score + 8;
    if (section === "API reference") return Math.floor(score * 3 / 5);
    return section === "How Atelier is made" ? Math.floor(score / 3) : score;
  };
  const form = doc.querySelector(".docs-search");
  if (!form) return;
  const input = form.querySelector("input");
  const at = new URL(form.dataset.index, location.href);
  /** @type {Promise<any[]> | undefined} */
  let reading;
  const read = () => (reading ??= fetch(at).then((answer) => answer.json()).then((entries) => {
    for (const e of entries) {
      e.name = `${e.p} ${e.h ?? ""}`.toLowerCase();
      e.text = (e.t ?? "").toLowerCase();
    }
    return entries;
  }));

  function scoreOf(e, word) {
    const i = e.name.indexOf(word);
    if (i === 0 || i > 0 && !/[a-z0-9\u0080-\uffff]/.test(e.name[i - 1])) return 12;
    if (i > 0) return 6;
    return e.text.includes(word) ? 3 : 0;
  }

  function snippet(e, words) {
    const places = words.map((word) => e.text.indexOf(word)).filter((i) => i >= 0);
    let start = places.length && e.text.length === (e.t ?? "").length ? Math.max(0, Math.min(...places) - SNIPPET / 3) : 0;
    if (start > 0) start = e.t.indexOf(" ", start) + 1 || Math.floor(start);
    const piece = (e.t ?? "").slice(start, start + SNIPPET);
    return (start > 0 ? "… " : "") + piece + (start + SNIPPET < (e.t ?? "").length ? "…" : "");
  }

  function find(entries, query) {
    const words = [...new Set(query.slice(0, 100).toLowerCase().split(/\s+/).filter(Boolean))].slice(0, 8);
    if (!words.length) return [];
    const hits = [];
    for (const e of entries) {
      const scores = words.map((word) => scoreOf(e, word));
      if (scores.includes(0)) continue;
      const score = scores.reduce((sum, one) => sum + one, 0);
      hits.push({ e, score: weighed(e.s, score) });
    }
    const ofPage = new Map();
    return hits.filter((hit) => hit.score > 0).sort((a, b) => b.score - a.score).filter(({ e }) => {
      const page = e.a.split("#")[0], n = (ofPage.get(page) ?? 0) + 1;
      ofPage.set(page, n);
      return n <= OF_ONE;
    }).slice(0, MOST).map(({ e }) => ({ ...e, snippet: snippet(e, words) }));
  }

  function list(hits) {
    const ol = make("ol", { className: "docs-found" });
    for (const hit of hits) {
      const li = make("li"), a = make("a", { href: new URL(hit.a, at).href });
      a.append(make("b", { textContent: hit.h ? `${hit.p} · ${hit.h}` : hit.p }));
      li.append(a, make("span", { className: "small muted", textContent: hit.s }), make("span", { textContent: hit.snippet }));
      ol.append(li);
    }
    return ol;
  }

  const nothing = () => make("p", { textContent: "Nothing has all of these words. Try fewer, or others." });

  // The list below the field follows what is typed; on the page of the search, the page itself does.
  const page = doc.querySelector("[data-docs-results]");
  const below = page ?? make("div", { className: "docs-below", hidden: true });
  if (!page) form.append(below);

  let asked = 0;
  async function show() {
    const query = input.value.trim(), turn = ++asked;
    if (!query) {
      if (!page) below.hidden = true;
      return;
    }
    const hits = find(await read(), query);
    if (turn !== asked) return;
    below.replaceChildren(hits.length ? list(hits) : nothing());
    below.hidden = false;
    say(hits.length === 1 ? "1 result" : `${hits.length} results`);
  }

  let later = 0;
  input.addEventListener("focus", () => void read().catch(() => {}), { once: true });
  input.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(() => void show().catch(() => {}), 120);
  });

  if (!page) {
    form.addEventListener("keydown", (e) => {
      const links = all("a", below), i = links.indexOf(doc.activeElement);
      if (e.key === "Escape" && !below.hidden) {
        below.hidden = true;
        input.focus();
      } else if (e.key === "ArrowDown" && links.length) {
        links[Math.min(i + 1, links.length - 1)].focus();
      } else if (e.key === "ArrowUp" && i >= 0) {
        (links[i - 1] ?? input).focus();
      } else return;
      e.preventDefault();
    });
    doc.addEventListener("click", (e) => { if (!form.contains(e.target)) below.hidden = true; });
    form.addEventListener("focusout", (e) => { if (e.relatedTarget && !form.contains(e.relatedTarget)) below.hidden = true; });
  } else {
    const query = new URLSearchParams(location.search).get("q");
    if (query && !input.value) {
      input.value = query;
      void show().catch(() => {});
    }
  }

  doc.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target?.matches?.("input, textarea, select")) return;
    e.preventDefault();
    input.focus();
  });
})();
