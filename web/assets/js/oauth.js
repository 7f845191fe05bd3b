// What the pages of connected apps add: a page that has just come into sight takes no click at once, for the click may
// have been meant for what was there before; and an address that holds a code is forgotten.
(() => {
  "use strict";
  const settle = 600; // milliseconds
  let timer = 0;

  function rest() {
    const buttons = document.querySelectorAll("[data-settles]");
    buttons.forEach((b) => { b.disabled = true; });
    clearTimeout(timer);
    timer = setTimeout(() => buttons.forEach((b) => { b.disabled = false; }), settle);
  }

  if (document.querySelector("[data-settles]")) {
    rest();
    addEventListener("focus", rest);
    addEventListener("pageshow", rest);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) rest(); });
  }
  if (document.querySelector("[data-forget-address]")) history.replaceState(null, "", location.pathname);
})();
