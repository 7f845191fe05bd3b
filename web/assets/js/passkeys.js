// Asks a passkey. A button within a form asks the service what to ask, the browser asks the passkey, and the form is sent with
// what it answered. Without this file the button stays hidden; every page has another way.
(() => {
  "use strict";
  // What is said comes with the page, in the language of its reader (web/account/passkey_words.go).
  const said = (place, name) => JSON.parse(place.dataset.words)[name];

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  // The options come as JSON, in which bytes are texts; younger browsers read that themselves.
  function read(options, creates) {
    const own = creates ? PublicKeyCredential.parseCreationOptionsFromJSON : PublicKeyCredential.parseRequestOptionsFromJSON;
    if (own) return own.call(PublicKeyCredential, options);
    const out = { ...options, challenge: bytes(options.challenge) };
    if (out.user) out.user = { ...out.user, id: bytes(out.user.id) };
    for (const list of ["allowCredentials", "excludeCredentials"]) {
      if (out[list]) out[list] = out[list].map((key) => ({ ...key, id: bytes(key.id) }));
    }
    return out;
  }

  function write(key) {
    if (key.toJSON) {
      try { return key.toJSON(); } catch { /* some password managers put an object of their own in its place */ }
    }
    const r = key.response, response = { clientDataJSON: text(r.clientDataJSON) };
    for (const part of ["attestationObject", "authenticatorData", "signature", "userHandle"]) if (r[part]) response[part] = text(r[part]);
    if (r.getTransports) response.transports = r.getTransports();
    return {
      id: key.id, rawId: text(key.rawId), type: key.type, response, clientExtensionResults: {},
      ...(key.authenticatorAttachment && { authenticatorAttachment: key.authenticatorAttachment }),
    };
  }

  async function begin(purpose) {
    const answer = await fetch("/auth/passkey/begin", { method: "POST", body: new URLSearchParams({ purpose }), headers: { Accept: "application/json" } });
    const told = await answer.json().catch(() => ({}));
    if (answer.ok) return told;
    if (told.code === "reauthentication_required") {
      location.assign("/account/confirm?next=" + encodeURIComponent(location.pathname));
      return null;
    }
    throw new Refused(told.message);
  }

  class Refused extends Error {}

  // What went wrong, by the names of what browsers throw.
  const failures = {
    NotAllowedError: "noAnswer", AbortError: "noAnswer", InvalidStateError: "known", SecurityError: "elsewhere", NotSupportedError: "unfit",
    ConstraintError: "unfit", TypeError: "unreachable",
  };

  function words(place, e, creates) {
    if (e instanceof Refused) return e.message || said(place, "ours");
    const name = failures[e?.name];
    if (name === "noAnswer" && creates) return said(place, "notAdded");
    return name ? said(place, name) : said(place, "unusable");
  }

  function ready(place) {
    if (place.dataset.passkeyReady) return;
    place.dataset.passkeyReady = "1";
    const form = place.closest("form"), button = place.querySelector("[data-passkey-ask]"), line = place.querySelector("[data-passkey-said]");
    const field = place.querySelector("[data-passkey-answer]"), creates = place.dataset.passkey === "register";

    function say(sentence) {
      line.textContent = sentence;
      line.hidden = !sentence;
    }
    place.querySelector("[data-passkey-shown]").hidden = false;
    if (!window.PublicKeyCredential || !navigator.credentials) {
      button.disabled = true;
      return say(said(place, "missing"));
    }

    async function ask() {
      if (button.disabled) return;
      button.disabled = true;
      say("");
      try {
        const asked = await begin(place.dataset.passkey);
        if (!asked) return;
        const publicKey = read(asked.options, creates);
        const key = creates ? await navigator.credentials.create({ publicKey }) : await navigator.credentials.get({ publicKey });
        field.value = JSON.stringify({ challengeId: asked.challengeId, response: write(key) });
        form.submit();
      } catch (e) {
        say(words(place, e, creates));
      }
      button.disabled = false;
    }

    button.addEventListener("click", ask);
    // Enter in a field of the form means the button, for there is no other.
    if (!form.querySelector("button:not([type=button])")) form.addEventListener("submit", (e) => { e.preventDefault(); ask(); });
  }

  for (const place of document.querySelectorAll("[data-passkey]")) ready(place);
})();
