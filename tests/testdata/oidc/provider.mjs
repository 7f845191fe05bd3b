// An OpenID Connect provider for the tests: the certified oidc-provider, which signs everybody in at once as the person
// whom the test has chosen. Settings come from PROVIDER (JSON) and over POST /test; its address is printed.
import http from "node:http";
import Provider, { interactionPolicy } from "oidc-provider";

const settings = JSON.parse(process.env.PROVIDER);
// The person who is signed in next, claims of theirs by name.
let person = settings.person;
// What is done with the next authorization request: "" lets the person in, "deny" does not.
let mood = "";
const people = new Map();

// read is the body of a request.
async function read(request) {
  let text = "";
  for await (const part of request) text += part;
  return text;
}

const server = http.createServer();
await new Promise((done) => server.listen(settings.port ?? 0, "127.0.0.1", done));
const issuer = `http://127.0.0.1:${server.address().port}${settings.path ?? ""}`;

// The provider itself is made once the test says where the service is reached.
let provider, handle;
function make(redirectUris) {
  provider = new Provider(issuer, {
    clients: [{
      client_id: settings.clientId, client_secret: settings.clientSecret, redirect_uris: redirectUris,
      response_types: ["code"], grant_types: ["authorization_code"], token_endpoint_auth_method: settings.auth ?? "client_secret_basic",
    }],
    clientAuthMethods: [settings.auth ?? "client_secret_basic"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: settings.userinfo ?? false,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ["keys of a provider that only tests use"] },
    interactions: { policy: interactionPolicy.base(), url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
  });
  for (const event of ["server_error", "authorization.error", "grant.error"]) {
    provider.on(event, (_, error) => console.error(event, error.message, error.error_description ?? ""));
  }
  handle = provider.callback();
}

// interact answers what the provider asks the person for: who they are, and whether this service may know it.
async function interact(request, response) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (mood === "deny") {
    mood = "";
    return provider.interactionFinished(request, response, { error: "access_denied", error_description: "the person stopped" });
  }
  if (prompt.name === "login") {
    people.set(person.sub, person);
    return provider.interactionFinished(request, response, { login: { accountId: person.sub, remember: false } });
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true });
}

server.on("request", async (request, response) => {
  try {
    if (request.url === "/test") {
      const wanted = JSON.parse(await read(request));
      if (wanted.redirectUris) make(wanted.redirectUris);
      if (wanted.person) person = wanted.person;
      if (wanted.person) people.set(person.sub, person);
      if (wanted.mood !== undefined) mood = wanted.mood;
      return void response.end("ok");
    }
    if (request.url.startsWith("/interaction/")) return void await interact(request, response);
    handle(request, response);
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
});
console.log(`issuer ${issuer}`);
process.stdin.on("end", () => process.exit(0)).resume();
