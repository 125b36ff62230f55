import type { FieldCode, ProblemCode } from "@/server/kernel/values/problems";

/** What must exist before the bad requests are sent. */
export interface BadInputWorld {
  /** ON_DEMAND, EIP-55 form with letters of both cases; holds `pending` and `cancelled`. */
  contract: string;
  /** Registered; the token `other` is its own. */
  other: string;
  /** PREFUNDED without a grant; the token `unfunded` is its own. */
  unfunded: string;
  unregistered: string;
  tokens: Record<"own" | "read" | "write" | "other" | "unfunded" | "expired" | "revoked", string>;
  /** Cursors of lists of `contract`: plain, ascending, `status=PENDING`; and of `other`, plain. */
  cursors: Record<"plain" | "ascending" | "pending" | "other", string>;
}

/** A request that must be refused, as it goes over the wire. */
export interface BadRequest {
  name: string;
  method: string;
  /** As sent: never normalized. */
  path: string;
  headers: [name: string, value: string][];
  /** Several chunks are sent without a length. */
  body: Uint8Array[];
  status: number;
  code: ProblemCode;
  /** A code that `errors` must hold. */
  field?: FieldCode;
}

export interface BadRow extends Partial<Pick<BadRequest, "method" | "headers" | "field">> {
  name: string;
  path?: string;
  token?: string | null;
  body?: string | Uint8Array | Uint8Array[];
  status?: number;
  code?: ProblemCode;
}

/** A row as a request: by default a POST of a batch with the contract's own token, refused as `validation_failed`. */
export function toRequest(world: BadInputWorld, row: BadRow): BadRequest {
  const { token = world.tokens.own, body = [] } = row;
  const chunks = Array.isArray(body) ? body : [typeof body === "string" ? Buffer.from(body) : body];
  const has = (name: string) => row.headers?.some(([given]) => given.toLowerCase() === name);
  const headers = [...(row.headers ?? [])];
  if (token !== null && !has("authorization")) headers.push(["Authorization", `Bearer ${token}`]);
  if (chunks.length > 0 && !has("content-type")) headers.push(["Content-Type", "application/json"]);
  return {
    name: row.name,
    method: row.method ?? (chunks.length > 0 ? "POST" : "GET"),
    path: row.path ?? `/v1/contracts/${world.contract}/batches`,
    // An empty value stands for a header that is not sent at all.
    headers: headers.filter(([, value]) => value !== ""),
    body: chunks,
    status: row.status ?? 400,
    code: row.code ?? "validation_failed",
    field: row.field,
  };
}

export const RECIPIENT = `0x${"1".repeat(40)}`;

/** A right body, with some of it replaced; `undefined` leaves a field out. */
export function batchBody(change: Record<string, unknown> = {}): string {
  return JSON.stringify({
    pointType: "PHASE2_POINTS",
    transfers: [{ toAddress: RECIPIENT, points: "10.5" }],
    ...change,
  });
}

/** A row that is refused as something else than `validation_failed`. */
export function refused(
  status: number,
  code: ProblemCode,
  name: string,
  row: Omit<BadRow, "name"> = {},
): BadRow {
  return { name, status, code, ...row };
}
