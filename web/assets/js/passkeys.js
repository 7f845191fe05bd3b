// Asks a passkey. A button within a form asks the service what to ask, the browser asks the passkey, and the form is sent with
// what it answered. Without this file the button stays hidden; every page has another way.
(() => {
  "use strict";
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
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) return said;
    if (said.code === "reauthentication_required") {
      location.assign("/account/confirm?next=" + encodeURIComponent(location.pathname));
      return null;
    }
    throw new Refused(said.message || "Something failed on our side. Try once more in a moment.");
  }

  class Refused extends Error {}

  function words(e, creates) {
    if (e instanceof Refused) return e.message;
    switch (e?.name) {
      case "NotAllowedError":
      case "AbortError":
        return creates ? "No passkey was added: it was cancelled, or took too long." : "No passkey answered: it was cancelled, took too long, or there is none for this site on the device.";
      case "InvalidStateError":
        return "This device, or its password manager, has a passkey for your account already.";
      case "SecurityError":
        return "This address is not the one that passkeys are kept for here. Open the page at the address that the service is meant to have.";
      case "NotSupportedError":
      case "ConstraintError":
        return "This device cannot make the kind of passkey that is needed. Try another one.";
      case "TypeError":
        return "The service could not be reached, or the browser does not understand its answer. Try once more.";
    }
    return "The browser could not use a passkey. Try once more.";
  }

  function ready(place) {
    if (place.dataset.passkeyReady) return;
    place.dataset.passkeyReady = "1";
    const form = place.closest("form"), button = place.querySelector("[data-passkey-ask]"), said = place.querySelector("[data-passkey-said]");
    const field = place.querySelector("[data-passkey-answer]"), creates = place.dataset.passkey === "register";

    function say(sentence) {
      said.textContent = sentence;
      said.hidden = !sentence;
    }
    place.querySelector("[data-passkey-shown]").hidden = false;
    if (!window.PublicKeyCredential || !navigator.credentials) {
      button.disabled = true;
      return say("This browser has no passkeys, or not at this address.");
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
        say(words(e, creates));
      }
      button.disabled = false;
    }

    button.addEventListener("click", ask);
    // Enter in a field of the form means the button, for there is no other.
    if (!form.querySelector("button:not([type=button])")) form.addEventListener("submit", (e) => { e.preventDefault(); ask(); });
  }

  for (const place of document.querySelectorAll("[data-passkey]")) ready(place);
})();
