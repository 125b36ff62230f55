import type { FieldCode, ProblemCode } from "@/server/kernel/values/problems";

/** What must exist before the bad requests are sent. */
export interface BadInputWorld {
  /** ON_DEMAND, with a mixed-case address; has the batches `pending` and `cancelled`. */
  contract: string;
  /** Registered; its token is `other`. */
  other: string;
  /** PREFUNDED without a grant; its token is `unfunded`. */
  unfunded: string;
  unregistered: string;
  tokens: Record<"own" | "read" | "write" | "other" | "unfunded" | "expired" | "revoked", string>;
  /** Cursors of `contract`'s lists: plain, ascending, `status=PENDING`; and of `other`'s, plain. */
  cursors: Record<"plain" | "ascending" | "pending" | "other", string>;
}

/** A request that must be refused, as sent over the wire. */
export interface BadRequest {
  name: string;
  method: string;
  /** Sent as is, never normalized. */
  path: string;
  headers: [name: string, value: string][];
  /** Several chunks are sent without Content-Length. */
  body: Uint8Array[];
  status: number;
  code: ProblemCode;
  /** A code that `errors` must contain. */
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

/** Turns a row into a request; by default a POST of a batch with the contract's token, refused as `validation_failed`. */
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
    // An empty value means that the header is not sent.
    headers: headers.filter(([, value]) => value !== ""),
    body: chunks,
    status: row.status ?? 400,
    code: row.code ?? "validation_failed",
    field: row.field,
  };
}

export const RECIPIENT = `0x${"1".repeat(40)}`;

/** A valid body with some fields replaced; `undefined` omits a field. */
export function batchBody(change: Record<string, unknown> = {}): string {
  return JSON.stringify({
    pointType: "PHASE2_POINTS",
    transfers: [{ toAddress: RECIPIENT, points: "10.5" }],
    ...change,
  });
}

/** A row that is refused with another code than `validation_failed`. */
export function refused(
  status: number,
  code: ProblemCode,
  name: string,
  row: Omit<BadRow, "name"> = {},
): BadRow {
  return { name, status, code, ...row };
}

/** A row that is refused as `validation_failed`, with this code among its errors. */
export const invalid = (field: FieldCode | undefined, name: string, row: Omit<BadRow, "name">): BadRow => ({
  name,
  field,
  ...row,
});

export const short = (value: unknown) => (JSON.stringify(value) ?? "absent").slice(0, 50);
