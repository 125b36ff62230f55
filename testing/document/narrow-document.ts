import type { document } from "./operations";
import type { Schema } from "./schema";

type Document = typeof document;
interface Operation {
  security: Record<string, string[]>[];
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
}

/** Existing objects that generated requests may use. */
export interface Existing {
  contractAddress: string;
  /** Batches to read, and to cancel. */
  batchIds: Record<"get" | "delete", string[]>;
  /** The only one that has a root, and the only address with a receipt of it. */
  finalized: { batchId: string; recipient: string };
  /** A webhook per operation on one, by the end of its path. */
  webhookIds: Record<"{webhookId}" | "rotate-secret" | "test", string>;
  securityScheme: string;
}

/** Lower-case addresses need no checksum. No lengths, because the longest address would repeat in a batch. */
const ADDRESS = { type: "string", pattern: "^0x[0-9a-f]{40}$" };
/** Narrower schemas for what JSON Schema cannot express. */
const NARROWER: Record<string, Schema> = {
  toAddress: ADDRESS,
  operatorAddress: ADDRESS,
  // At least 1, which is above the minimum of each point type.
  points: { type: "string", pattern: "^[1-9][0-9]{0,3}(\\.[0-9]{1,6})?$" },
  // Real calendar days.
  createdBefore: { type: "string", format: "date-time" },
  createdAfter: { type: "string", format: "date-time" },
  from: { type: "string", format: "date" },
  // Later months have no statement.
  month: { type: "string", enum: [new Date().toISOString().slice(0, 7)] },
  // A public host that becomes invalid with one more character.
  url: { type: "string", enum: ["https://example.com:443"] },
};
/** Long enough to avoid duplicates, which would conflict. */
const NEW_BATCH_ID = { type: "string", pattern: "^[A-Za-z0-9]{24}$" };

/**
 * The document for a request generator: narrowed where JSON Schema cannot express the rules, without examples, and with
 * patterns in its library's dialect. Replies are checked against the full document.
 */
export function narrowDocument(whole: Document, existing: Existing): Document {
  const narrowed = structuredClone(whole);
  // Only the challenge's wallet can solve it, once.
  delete narrowed.paths["/v1/dapp-auth/solve"];
  // A transfer is taken back once, so the first valid request would make the others invalid.
  delete narrowed.paths["/v1/contracts/{contractAddress}/batches/{batchId}/reversal"];
  for (const [path, item] of Object.entries(narrowed.paths)) {
    const webhookId = existing.webhookIds[path.split("/").at(-1) as keyof Existing["webhookIds"]];
    for (const [method, each] of Object.entries(item)) {
      const operation = each as unknown as Operation;
      operation.security = operation.security.filter((way) => existing.securityScheme in way);
      // A cursor must come from an earlier reply with the same filters.
      operation.parameters = operation.parameters?.filter(({ name }) => name !== "cursor");
      for (const parameter of operation.parameters ?? []) {
        if (parameter.name === "webhookId") parameter.schema = { type: "string", enum: [webhookId] };
        else if (parameter.name === "address")
          parameter.schema = { type: "string", enum: [existing.finalized.recipient] };
        else if (parameter.name === "batchId" && /\/(root|receipts\/\{address\})$/.test(path))
          parameter.schema = { type: "string", enum: [existing.finalized.batchId] };
        else parameter.schema = narrowParameter(parameter.name, parameter.schema, method, existing);
      }
      narrowFields(operation.requestBody?.content["application/json"].schema, existing);
    }
  }
  narrowFields((narrowed.components.schemas as Record<string, Schema>).Transfer, existing);
  return JSON.parse(JSON.stringify(narrowed), (key, value: unknown) => {
    if (key === "examples") return undefined;
    return key === "pattern" && typeof value === "string" ? toBricsPattern(value) : value;
  });
}

const contractOf = ({ contractAddress }: Existing): Schema => ({ type: "string", enum: [contractAddress] });

function narrowParameter(name: string, schema: Schema, method: string, existing: Existing): Schema {
  if (name === "contractAddress") return contractOf(existing);
  if (name !== "batchId") return NARROWER[name] ?? schema;
  if (method === "get" || method === "delete") return { type: "string", enum: existing.batchIds[method] };
  return NEW_BATCH_ID;
}

function narrowFields(schema: Schema | undefined, existing: Existing): void {
  // The generator repeats events in the list, whatever its maximum length.
  delete schema?.properties?.events;
  for (const name of Object.keys(schema?.properties ?? {})) {
    const narrower = name === "contractAddress" ? contractOf(existing) : NARROWER[name];
    if (narrower) schema!.properties![name] = narrower;
  }
}

/** dk.brics.automaton has no `\xHH`, treats `"#@&~<>` as operators, and allows no leading slash. */
function toBricsPattern(pattern: string): string {
  return pattern
    .replaceAll(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/["#@&~<>]/g, "\\$&")
    .replace(/^\^\//, "^[/]");
}
