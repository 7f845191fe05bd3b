// What a page must hold at every width, as sentences about what does not. It is evaluated in the page.
(() => {
  const wrong = new Set();
  const width = document.documentElement.clientWidth;
  const phone = width <= 480, desktop = width >= 1024;
  const say = (what, el) => wrong.add(what + ": " + (el.innerText || el.textContent || el.outerHTML).trim().slice(0, 60));
  const seen = (el) => {
    const r = el.getBoundingClientRect();
    return r.width > 1 && r.height > 1 && el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !el.closest(".sr, [aria-hidden=true], [hidden]");
  };

  const over = document.scrollingElement.scrollWidth - width;
  if (over > 0) {
    const far = (el) => (el.closest("[hidden]") ? 0 : el.getBoundingClientRect().right);
    const widest = [...document.body.querySelectorAll("*")].reduce((most, el) => (far(el) >= far(most) ? el : most));
    wrong.add(`the page is ${over} px wider than its window, by ${widest.outerHTML.slice(0, 160)}`);
  }

  // Text: at least 12 px as it is drawn; words of letters stay whole.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode());) {
    const el = node.parentElement;
    if (!node.data.trim() || ["SCRIPT", "STYLE", "OPTION", "TITLE"].includes(el.tagName) || !seen(el)) continue;
    const scale = el.ownerSVGElement ? el.getScreenCTM().a : 1;
    if (parseFloat(getComputedStyle(el).fontSize) * scale < 11.95) say(`text of ${(parseFloat(getComputedStyle(el).fontSize) * scale).toFixed(1)} px`, el);
    if (el.closest("svg, code, pre, .mono, textarea")) continue;
    const range = document.createRange();
    const lines = () => new Set([...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top))).size;
    range.selectNodeContents(node);
    if (lines() < 2) continue;
    for (const word of node.data.matchAll(/(?<![^\s(“"])\p{L}{2,18}(?=[\s.,;:!?)”"]|$)/gu)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (lines() > 1) say(`the word ${word[0]} is broken`, el);
    }
  }

  // Buttons end where the card ends that they stand on, but for rows that scroll.
  for (const el of document.querySelectorAll(".btn")) {
    const card = el.closest(".sheet, .list, .empty, .note");
    if (!card || !seen(el)) continue;
    let scrolls = false;
    for (let up = el.parentElement; up !== card.parentElement; up = up.parentElement) scrolls ||= /auto|scroll/.test(getComputedStyle(up).overflowX);
    const past = el.getBoundingClientRect().right - card.getBoundingClientRect().right;
    if (!scrolls && past > 1) say(`a button that leaves its card by ${Math.round(past)} px`, el);
  }

  // Tables: rows that can be scanned, names that have room.
  for (const row of document.querySelectorAll(".table tbody tr")) {
    if (!seen(row) || getComputedStyle(row).display !== "table-row") continue;
    if (desktop && row.getBoundingClientRect().height > 96) say(`a row of ${Math.round(row.getBoundingClientRect().height)} px`, row);
    const name = row.querySelector("th");
    if (name && name.clientWidth < 180) say(`a name with ${name.clientWidth} px`, name);
  }

  // Fingers: what is pressed is 40 px high, or stands within a sentence.
  if (phone) {
    for (const el of document.querySelectorAll("button, summary, select, input:not([type=hidden]):not([type=checkbox]):not([type=radio]):not([type=file]), a.btn, .tabs a, .tabbar a, .nav a, a.chip, a.target")) {
      if (!seen(el) || el.closest(".sf, .react-flow, .xyflow, .skip")) continue;
      const r = el.getBoundingClientRect();
      if (r.height < 39.5) say(`a target of ${Math.round(r.height)} px`, el);
    }
  }
  return [...wrong];
})()
