// The conformance suite imports a function of node:fs that Node 20 lacks, for a command that the tests do not use: this
// lets it start there.
import { register } from "node:module";

const fs = 'export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];';
const hooks = `export const resolve = (name, context, next) =>
  name === "fs" && context.parentURL?.includes("/@modelcontextprotocol/conformance/")
    ? { url: ${JSON.stringify("data:text/javascript," + encodeURIComponent(fs))}, shortCircuit: true } : next(name, context);`;
register("data:text/javascript," + encodeURIComponent(hooks));
