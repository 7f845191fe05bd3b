// A form that looks as you like: the hooks do everything but the drawing. (In JSX it reads better; this needs no build.)
import { createElement as h, useState } from "react";
import { FieldControl, RunResult, useForm, useRoute, useRun } from "atelier-react";
import { fieldsOf, keyOf, valuesOf } from "atelier-sdk/form";

/** @param {{ endpoint: string }} props */
export function OwnLook({ endpoint }) {
  const route = useRoute(endpoint);
  const { form, error } = useForm(route, undefined);
  const { phase, run, reset } = useRun(route);
  const [texts, setTexts] = useState(/** @type {Record<string, string>} */ ({}));
  if (error) return h("p", null, error.message);
  if (!form) return null;
  switch (phase.name) {
    case "running":
      return h("p", null, phase.run ? `${phase.run.completedNodes} of ${phase.run.totalNodes}` : "…");
    case "done":
      return h("div", null, phase.run.result && h(RunResult, { result: phase.run.result, name: form.name }), h("button", { onClick: reset }, "Another"));
  }
  const fields = fieldsOf(form.parts).map((field) =>
    h(FieldControl, {
      key: keyOf(field),
      id: keyOf(field),
      field,
      text: texts[keyOf(field)] ?? field.text,
      onChange: (changed, text) => setTexts({ ...texts, [keyOf(changed)]: text }),
      onUpload: async () => "",
    }),
  );
  return h("div", null, ...fields, h("button", { onClick: () => run(valuesOf(form.parts, texts)) }, "Go"), phase.error?.message);
}
