export { AppForm, type AppFormProps } from "./app-form.js";
export { FieldControl, type FieldControlProps } from "./field-control.js";
export { RunResult } from "./run-result.js";
export type { RunState, ShownResult } from "./state.js";
export { useForm, useRoute, useRun, type Phase, type Problem } from "./use-run.js";
