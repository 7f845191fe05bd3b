// Drives the service's OAuth as an integrator's program would.
import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";

const base = new URL(process.env.BASE_URL);
const http = { [oauth.allowInsecureRequests]: true };
const redirect = "http://127.0.0.1:8123/back";

// What the person decides, which the console's page sends for them.
async function decide(mutation, input) {
  const response = await fetch(new URL("/graphql", base), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.SESSION}` },
    body: JSON.stringify({ query: `mutation($input: AuthorizationInput!) { answer: ${mutation}(input: $input) }`, variables: { input } }),
  });
  const body = await response.json();
  assert.ok(body.data?.answer, JSON.stringify(body));
  return new URL(body.data.answer);
}

// A call without a token leads to where one is got.
const challenged = await fetch(new URL("/v1/me", base));
assert.equal(challenged.status, 401);
const metadata = /resource_metadata="([^"]+)"/.exec(challenged.headers.get("www-authenticate"))[1];
assert.equal(metadata, new URL("/.well-known/oauth-protected-resource", base).href);
const resource = await oauth.processResourceDiscoveryResponse(base, await oauth.resourceDiscoveryRequest(base, http));
const issuer = new URL(resource.authorization_servers[0]);
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...http, algorithm: "oauth2" }));
assert.deepEqual(as.code_challenge_methods_supported, ["S256"]);

for (const method of ["client_secret_basic", "client_secret_post", "none"]) {
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, {
      client_name: `By ${method}`, redirect_uris: [redirect], token_endpoint_auth_method: method,
      grant_types: ["authorization_code", "refresh_token"], scope: "jobs:read workspaces:read",
    }, http));
  assert.equal(client.token_endpoint_auth_method, method);
  assert.equal(typeof client.client_secret, method === "none" ? "undefined" : "string");
  const shown = {
    client_secret_basic: () => oauth.ClientSecretBasic(client.client_secret),
    client_secret_post: () => oauth.ClientSecretPost(client.client_secret),
    none: () => oauth.None(),
  }[method]();

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const input = {
    // Another port than the registered one, as programs on a machine have.
    clientId: client.client_id, redirectUri: "http://127.0.0.1:9999/back", responseType: "code", scope: "jobs:read", state,
    codeChallenge: await oauth.calculatePKCECodeChallenge(verifier), codeChallengeMethod: "S256", resource: [resource.resource],
  };

  const refused = await decide("denyAuthorization", input);
  assert.throws(() => oauth.validateAuthResponse(as, client, refused, state), (e) => e.error === "access_denied");

  const answer = await decide("approveAuthorization", input);
  assert.equal(answer.port, "9999");
  const parameters = oauth.validateAuthResponse(as, client, answer, state); // the issuer too
  const exchange = () => oauth.authorizationCodeGrantRequest(as, client, shown, parameters, input.redirectUri, verifier, http);
  const issued = await oauth.processAuthorizationCodeResponse(as, client, await exchange());
  assert.match(issued.access_token, /^svc_app_[A-Za-z0-9_-]{43}$/);
  assert.equal(issued.token_type, "bearer");
  assert.equal(issued.expires_in, 7776000);
  assert.equal(issued.scope, "jobs:read");

  const me = () => oauth.protectedResourceRequest(issued.access_token, "GET", new URL("/v1/me", base), undefined, undefined, http);
  assert.equal((await me()).status, 200);
  const apps = await fetch(new URL("/v1/oauth/apps", base), { headers: { authorization: `Bearer ${issued.access_token}` } });
  assert.equal(apps.status, 403);

  if (method === "none") {
    // A second exchange fails, and takes the first one's token along.
    await assert.rejects(async () => oauth.processAuthorizationCodeResponse(as, client, await exchange()), (e) => e.error === "invalid_grant");
  } else {
    await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, shown, issued.access_token, http));
  }
  const dead = await fetch(new URL("/v1/me", base), { headers: { authorization: `Bearer ${issued.access_token}` } });
  assert.equal(dead.status, 401);
  assert.match(dead.headers.get("www-authenticate"), /error="invalid_token"/);
}
