// Who the token is, what there is to spend, requests that the SDK has no word for, and errors.
import { Atelier, AtelierError } from "atelier-sdk";

const atelier = new Atelier();

const me = await atelier.me();
const { available } = await atelier.credits.balance();
console.log(`${me.displayName} has ${available} credits`);
for (const { kind, amount } of await atelier.credits.transactions().take(3)) console.log(kind, amount);

// A page of a list, and the cursor of the next; null at the end.
const { data: rows, next } = await atelier.credits.transactions({ limit: 1 }).page();
console.log(rows.length, next === null);

/** @type {{ data: { id: string } }} */
const project = await atelier.request("POST", "/v1/projects", { body: { name: "From the SDK" } });
for await (const one of atelier.list("/v1/projects", { limit: 1 })) console.log(one);
await atelier.request("DELETE", `/v1/projects/${project.data.id}`);

try {
  await atelier.apps.run("greeting", { mood: "angry" });
} catch (failure) {
  if (!(failure instanceof AtelierError)) throw failure;
  switch (failure.code) {
    case "validation_error":
      console.log(`${failure.field}: ${failure.details.message}`);
      break;
    case "insufficient_app_credits":
      console.log("buy some");
      break;
    default:
      throw failure;
  }
}
