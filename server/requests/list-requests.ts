import { z } from "zod";
import type { Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { decodeCursor, encodeCursor } from "@/server/kernel/cursor";
import { CursorField, createdField, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "@/terms/batch-schema";
import { REQUEST_ID_PATTERN, UUID_PATTERN } from "@/terms/batch-terms";
import {
  AddressField,
  boundAfter,
  boundBefore,
  objectOf,
  replyOf,
  rule,
  TimestampOut,
  wholeNumber,
} from "@/terms/fields";
import { API_PROBLEM_CODES, PROBLEMS } from "@/terms/problems";

const text = (description: string, maxLength: number) => z.string().meta({ description, maxLength });
const idOf = (what: string, pattern: RegExp, maxLength: number, example: string) =>
  text(`The ${what} ID.`, maxLength)
    .refine((value) => pattern.test(value), rule("invalid_value", `must be the ID of a ${what}`))
    .meta({ pattern: pattern.source, examples: [example] });
const TokenIdField = idOf("token", UUID_PATTERN, 36, "7d9f1c1e-6f5e-4c57-9f0a-2b1d3c4e5f60");
const RequestIdField = idOf("request", REQUEST_ID_PATTERN, 128, "submit-7731");

export const ListRequestsInput = z.strictObject({
  contractAddress: AddressField,
  code: z
    .string()
    .refine((value) => Object.hasOwn(PROBLEMS, value), rule("invalid_value", "must be the code of an error"))
    .meta({ description: "Only requests refused with this code.", enum: API_PROBLEM_CODES })
    .optional(),
  tokenId: TokenIdField.meta({ description: "Only requests with this access token." }).optional(),
  requestId: RequestIdField.meta({ description: "Only requests with this `X-Request-Id`." }).optional(),
  createdBefore: createdField("before", "requests answered").optional(),
  createdAfter: createdField("after", "requests answered").optional(),
  limit: wholeNumber(1, LIST_LIMIT_MAX, {
    description: "Maximum number of requests.",
    default: LIST_LIMIT_DEFAULT,
  }).optional(),
  cursor: CursorField.meta({ description: "Cursor from the previous reply to the same request." }).optional(),
});
/** Pages of the console begin with the cursor null. */
export const ConsoleListRequestsInput = ListRequestsInput.extend({ cursor: CursorField.nullish() });

const LoggedError = objectOf("LoggedError", {
  pointer: text("As in the reply, with `…` for the name of an unknown field or of metadata.", 256),
  code: text("Code of the error.", 64),
  detail: text("Human-readable description of the error.", 512),
});
const LoggedRequest = objectOf("LoggedRequest", {
  createdAt: TimestampOut.meta({ description: "When the request was answered." }),
  operation: text("Method and path, with the names of its parameters.", 128),
  status: wholeNumber(200, 599, { description: "HTTP status." }),
  code: text("Code of the problem; null if the request succeeded.", 64).nullable(),
  requestId: RequestIdField,
  tokenId: TokenIdField.nullable().meta({ description: "ID of the access token; null for an operator's." }),
  caller: text("`token:` and the token's name, or `operator:` and the operator's address.", 128),
  network: text("The caller's IP address, cut to its /24 or /48 network.", 64),
  errors: z.array(LoggedError).max(5).meta({ description: "The first five field errors of the reply." }),
});
export type LoggedRequest = z.output<typeof LoggedRequest>;

export const ListRequestsReply = replyOf("RequestPage", {
  requests: z.array(LoggedRequest).max(LIST_LIMIT_MAX).meta({ description: "Newest first." }),
  cursor: CursorField.nullable().meta({ description: "Cursor for the next page; null on the last page." }),
});

/** One page of a contract's log, newest first. @throws DomainError `invalid_cursor`, `cursor_mismatch` */
export async function listRequests(ctx: ServiceContext, input: z.output<typeof ConsoleListRequestsInput>) {
  const { sql } = ctx.db;
  const { limit = LIST_LIMIT_DEFAULT, cursor, ...filters } = input;
  const { code, tokenId, requestId } = filters;
  const after = boundAfter(filters.createdAfter);
  const before = boundBefore(filters.createdBefore);
  const contract = addressToBytes(filters.contractAddress);
  const scope = JSON.stringify({ ...filters, contractAddress: contract.toString("hex") });
  const position = cursor != null ? decodeCursor(cursor, scope, "contract or filter") : null;
  const beyond = position && [new Date(position.atMs).toISOString(), String(position.seq)];
  const rows = await sql<(LoggedRequest & { seq: string })[]>`
    select id as seq, created_at as "createdAt", operation, status, code, request_id as "requestId",
      token_id as "tokenId", caller, client_network as network, coalesce(errors, '[]') as errors
    from request_log where contract_address = ${contract}
      ${code ? sql`and code = ${code}` : sql``}
      ${tokenId ? sql`and token_id = ${tokenId}::uuid` : sql``}
      ${requestId ? sql`and request_id = ${requestId}` : sql``}
      ${after ? sql`and created_at > ${after}::timestamptz` : sql``}
      ${before ? sql`and created_at < ${before}::timestamptz` : sql``}
      ${beyond ? sql`and (created_at, id) < (${beyond[0]!}::timestamptz, ${beyond[1]!}::bigint)` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit).map((row) => withTimes(row, "createdAt"));
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    requests: page.map(({ seq: _, ...row }) => row),
    cursor: last ? encodeCursor({ atMs: Date.parse(last.createdAt), seq: BigInt(last.seq) }, scope) : null,
  };
}

const GROUPED_AT_ONCE = 1000;
/** The newest of `count` requests that were refused in the same way. */
export type RequestGroup = LoggedRequest & { count: number };

/** The same for people: the next page groups on its own. */
export async function groupRequests(ctx: ServiceContext, input: z.output<typeof ConsoleListRequestsInput>) {
  const { requests, cursor } = await listRequests(ctx, { ...input, limit: GROUPED_AT_ONCE });
  const groups = new Map<string, RequestGroup>();
  for (const request of requests) {
    const { createdAt, requestId, ...how } = request;
    const key = JSON.stringify(request.code === null ? request : how);
    const group = groups.get(key);
    if (group) group.count++;
    else groups.set(key, { ...request, count: 1 });
  }
  return { requests: [...groups.values()], cursor };
}

export type FoundRequest = { requestId: string; contractAddress: string; contractLabel: string };

/** Contracts with this ID in their log. Callers choose IDs, so any number of requests may have it. */
export async function findRequests({ sql }: Database, requestId: string): Promise<FoundRequest[]> {
  if (!REQUEST_ID_PATTERN.test(requestId)) return [];
  return await sql<FoundRequest[]>`
    select distinct ${requestId}::text as "requestId",
      concat('0x', encode(c.address, 'hex')) as "contractAddress", c.label as "contractLabel"
    from (select contract_address from request_log where request_id = ${requestId} limit 100) as r
    join contracts c on c.address = r.contract_address`;
}
