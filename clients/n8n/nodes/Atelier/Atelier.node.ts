import {
  NodeConnectionTypes,
  NodeOperationError,
  type IBinaryKeyData,
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  type ResourceMapperField,
  type ResourceMapperFields,
} from "n8n-workflow";
import type { Atelier as Client } from "atelier-sdk" with { "resolution-mode": "import" };
import type { Field } from "atelier-sdk/form" with { "resolution-mode": "import" };

/** The SDK is a module, which programs of the older kind load when they need it. */
const sdk = () => Promise.all([import("atelier-sdk"), import("atelier-sdk/form")]).then(([client, form]) => ({ ...client, ...form }));

async function connected(context: IExecuteFunctions | ILoadOptionsFunctions): Promise<Client> {
  const { url, token, workspace } = await context.getCredentials<{ url: string; token: string; workspace?: string }>("atelierApi");
  const { Atelier } = await sdk();
  return new Atelier({ baseUrl: url, token, client: "extension/n8n", ...(workspace && { workspace }) });
}

/** Runs an app of Atelier, with its form as fields. */
export class Atelier implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Atelier",
    name: "atelier",
    icon: "fa:palette",
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["app"]}}',
    description: "Runs an app of Atelier and hands on its result",
    defaults: { name: "Atelier" },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: "atelierApi", required: true }],
    properties: [
      {
        displayName: "App Name or ID",
        name: "app",
        type: "options",
        typeOptions: { loadOptionsMethod: "getApps" },
        default: "",
        required: true,
        description: 'Choose from the list, or name the slug of an app by an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
      },
      {
        displayName: "Fields",
        name: "fields",
        type: "resourceMapper",
        noDataExpression: true,
        default: { mappingMode: "defineBelow", value: null },
        typeOptions: {
          loadOptionsDependsOn: ["app"],
          resourceMapper: { resourceMapperMethod: "getFields", mode: "add", fieldWords: { singular: "field", plural: "fields" }, addAllFields: true, supportAutoMap: true, noFieldsError: "This app has nothing to fill in." },
        },
        description: "A field for a file takes the address of a file, or the name of the binary field that holds one",
      },
      {
        displayName: "Options",
        name: "options",
        type: "collection",
        placeholder: "Add option",
        default: {},
        options: [
          { displayName: "Download Result", name: "download", type: "boolean", default: true, description: "Whether to hand the file of the result on as binary data" },
          { displayName: "Put File in Field", name: "binaryField", type: "string", default: "data", description: "The binary field for the file of the result" },
          { displayName: "Timeout (Minutes)", name: "timeout", type: "number", default: 30, typeOptions: { minValue: 1 }, description: "How long to wait for a run" },
        ],
      },
    ],
  };

  methods = {
    loadOptions: {
      /** The apps that the account manages. */
      async getApps(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const atelier = await connected(this);
        const apps = await atelier.apps.list().take(500);
        return apps.filter((app) => app.isActive).map(({ slug, name, description }) => ({ name, value: slug, description }));
      },
    },
    resourceMapping: {
      /** The fields of the form of the app that is chosen. */
      async getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
        const slug = this.getNodeParameter("app", "") as string;
        if (!slug) return { fields: [] };
        const { fieldsOf } = await sdk();
        const form = await (await connected(this)).apps.form(slug);
        return { fields: fieldsOf(form.parts).filter((field) => field.id).map(mapped) };
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    const atelier = await connected(this);
    const { fieldsOf, plainValue, AtelierError, RunFailedError } = await sdk();
    const forms = new Map<string, Promise<Field[]>>();
    const out: INodeExecutionData[] = [];

    for (let index = 0; index < items.length; index++) {
      try {
        const slug = this.getNodeParameter("app", index) as string;
        const options = this.getNodeParameter("options", index, {}) as { download?: boolean; binaryField?: string; timeout?: number };
        const mode = this.getNodeParameter("fields.mappingMode", index, "defineBelow") as string;
        const values = mode === "autoMapInputData" ? items[index]!.json : (this.getNodeParameter("fields.value", index, {}) as IDataObject | null);
        const signal = AbortSignal.timeout((options.timeout ?? 30) * 60_000);
        if (!forms.has(slug)) {
          const form = atelier.apps.form(slug, { signal }).then((form) => fieldsOf(form.parts));
          form.catch(() => forms.delete(slug)); // the next item asks again
          forms.set(slug, form);
        }

        const inputs: Record<string, unknown> = {};
        for (const field of await forms.get(slug)!) {
          const value = field.id ? values?.[field.id] : undefined;
          if (value === undefined || value === null) continue;
          inputs[field.id] = await valueFor(this, index, field, value);
        }
        const { run, result, results } = await atelier.apps.run(slug, inputs, { signal });

        const binary: IBinaryKeyData = {};
        if (result?.url && options.download !== false) {
          const file = await atelier.files.download(result.url, { signal });
          const name = new URL(result.url).pathname.split("/").pop();
          binary[options.binaryField || "data"] = await this.helpers.prepareBinaryData(Buffer.from(await file.arrayBuffer()), name, file.type);
        }
        const json = { runId: run.id, credits: run.creditsUsed, kind: result?.kind ?? null, url: result?.url ?? null, text: result?.text ?? null, output: (result?.output ?? {}) as IDataObject, results: results as unknown as IDataObject[] };
        out.push({ json, pairedItem: { item: index }, ...(Object.keys(binary).length > 0 && { binary }) });
      } catch (problem) {
        const said = problem instanceof AtelierError ? problem.details.message : (problem as Error).message;
        if (this.continueOnFail()) {
          out.push({ json: { error: said }, pairedItem: { item: index } });
          continue;
        }
        const description = problem instanceof AtelierError ? `Atelier refused the run: ${problem.code}` : problem instanceof RunFailedError ? "The run began, and failed." : undefined;
        throw new NodeOperationError(this.getNode(), said, { itemIndex: index, ...(description && { description }) });
      }
    }
    return [out];

    /** A value of n8n as the field takes it; the content of a binary field is uploaded. */
    async function valueFor(context: IExecuteFunctions, index: number, field: Field, value: unknown): Promise<unknown> {
      if (field.kind === "file" && typeof value === "string" && items[index]!.binary?.[value]) {
        const { fileName, mimeType } = items[index]!.binary[value]!;
        const content = await context.helpers.getBinaryDataBuffer(index, value);
        const file = new Blob([new Uint8Array(content)], { type: mimeType });
        return (await atelier.files.upload(file, { ...(fileName && { name: fileName }) })).url;
      }
      return typeof value === "string" ? plainValue(field, value) : value;
    }
  }
}

/** A field of the form as n8n draws it. */
function mapped(field: Field): ResourceMapperField {
  const types = { toggle: "boolean", number: "number", slider: "number", select: "options", json: "object" } as const;
  const type = types[field.kind as keyof typeof types] ?? "string";
  const said = field.value;
  const out: ResourceMapperField = { id: field.id, displayName: field.label, required: field.required && field.text === "", defaultMatch: false, display: true, type };
  if (type === "options") {
    const options = field.options.map((option) => (typeof option === "string" ? option : JSON.stringify(option)));
    out.options = options.map((option) => ({ name: option, value: option }));
    if (said !== undefined && said !== null) out.defaultValue = typeof said === "string" ? said : JSON.stringify(said);
  } else if (typeof said === "string" || typeof said === "number" || typeof said === "boolean") {
    out.defaultValue = said;
  }
  return out;
}
