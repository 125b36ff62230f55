import type { document } from "./operations";
import type { Schema } from "./schema-breaks";

type Document = typeof document;
interface Operation {
  security: Record<string, string[]>[];
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
}

/** What the requests of a generator may name: things that exist, and one way to say who calls. */
export interface Existing {
  contractAddress: string;
  /** Batches to read, and to cancel. */
  batchIds: Record<"get" | "delete", string[]>;
  /** A webhook for each operation on one, by the end of its path. */
  webhookIds: Record<"{webhookId}" | "rotate-secret" | "test", string>;
  securityScheme: string;
}

/** In lower case every EIP-55 checksum holds. No lengths: the longest address would come twice in a batch. */
const ADDRESS = { type: "string", pattern: "^0x[0-9a-f]{40}$" };
/** What JSON Schema cannot say of a field, said by saying less. */
const NARROWER: Record<string, Schema> = {
  toAddress: ADDRESS,
  contractAddress: ADDRESS,
  operatorAddress: ADDRESS,
  // At least 1 is above the least transfer of each point type.
  points: { type: "string", pattern: "^[1-9][0-9]{0,3}(\\.[0-9]{1,6})?$" },
  // Days that the calendar has.
  createdBefore: { type: "string", format: "date-time" },
  createdAfter: { type: "string", format: "date-time" },
  // Public, and no address any more with a character after it.
  url: { type: "string", enum: ["https://example.com:8443"] },
};
/** Long enough that no two are the same, which would be a conflict. */
const NEW_BATCH_ID = { type: "string", pattern: "^[A-Za-z0-9]{24}$" };

/**
 * The document as a generator of requests has to read it: narrowed by what JSON Schema cannot say, without examples,
 * patterns in the dialect of its library. What replies are held against stays as it is.
 */
export function narrowDocument(whole: Document, existing: Existing): Document {
  const narrowed = structuredClone(whole);
  // Only the wallet that a challenge is for can solve it, once.
  delete narrowed.paths["/v1/dapp-auth/solve"];
  for (const [path, item] of Object.entries(narrowed.paths)) {
    const webhookId = existing.webhookIds[path.split("/").at(-1) as keyof Existing["webhookIds"]];
    for (const [method, each] of Object.entries(item)) {
      const operation = each as unknown as Operation;
      operation.security = operation.security.filter((way) => existing.securityScheme in way);
      // A cursor is one that an earlier reply gave, for the same filters.
      operation.parameters = operation.parameters?.filter(({ name }) => name !== "cursor");
      for (const parameter of operation.parameters ?? []) {
        if (parameter.name === "webhookId") parameter.schema = { type: "string", enum: [webhookId] };
        else parameter.schema = narrowParameter(parameter.name, parameter.schema, method, existing);
      }
      narrowFields(operation.requestBody?.content["application/json"].schema);
    }
  }
  narrowFields((narrowed.components.schemas as Record<string, Schema>).Transfer);
  return JSON.parse(JSON.stringify(narrowed), (key, value: unknown) => {
    if (key === "examples") return undefined;
    return key === "pattern" && typeof value === "string" ? toBricsPattern(value) : value;
  });
}

function narrowParameter(name: string, schema: Schema, method: string, existing: Existing): Schema {
  if (name === "contractAddress") return { type: "string", enum: [existing.contractAddress] };
  if (name !== "batchId") return NARROWER[name] ?? schema;
  if (method === "get" || method === "delete") return { type: "string", enum: existing.batchIds[method] };
  return NEW_BATCH_ID;
}

function narrowFields(schema: Schema | undefined): void {
  // The generator repeats an event in the list, however few it may hold.
  delete schema?.properties?.events;
  for (const name of Object.keys(schema?.properties ?? {})) {
    const narrower = NARROWER[name];
    if (narrower) schema!.properties![name] = narrower;
  }
}

/** dk.brics.automaton knows no `\xHH`, and takes `"#@&~<>` for operators; a pattern must not begin with a slash. */
function toBricsPattern(pattern: string): string {
  return pattern
    .replaceAll(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/["#@&~<>]/g, "\\$&")
    .replace(/^\^\//, "^[/]");
}
