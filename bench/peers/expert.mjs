// The service that an expert would write by hand for submit and list only: Fastify, postgres.js, one file.
import { createHash, randomUUID } from "node:crypto";
import Fastify from "fastify";
import sha3 from "js-sha3";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL, { max: Number(process.env.POOL_MAX ?? 10), onnotice() {} });
// Fastify's defaults coerce types and drop unknown keys, which would accept what we refuse.
const customOptions = { coerceTypes: false, removeAdditional: false, useDefaults: false };
const app = Fastify({ bodyLimit: 1_048_576, ajv: { customOptions } });

const SCALE = 12;
const MINIMUM_UNITS = { PHASE2_POINTS: toUnits("0.01"), PHASE2_GOLD: toUnits("0.000001") };
const WAIT_SECONDS_MAX = 86_400;
const ZERO = `0x${"0".repeat(40)}`;

const refusal = (statusCode, code, extra) => Object.assign(new Error(code), { statusCode, code, extra });

app.setErrorHandler(async (error, _request, reply) => {
  const statusCode = error.statusCode ?? (error.constraint_name === "accounts_available" ? 422 : 500);
  const code = { 422: "insufficient_points", 500: "internal_error" }[statusCode] ?? error.code;
  reply.code(statusCode).type("application/problem+json");
  return { status: statusCode, code, errors: error.extra };
});

app.decorateRequest("contract", null);
app.addHook("onRequest", async (request) => {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (!token) throw refusal(401, "missing_token");
  const hash = createHash("sha256").update(token).digest();
  const [row] = await sql`
    select contract_address, scopes from access_tokens
    where token_hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > now())`;
  if (!row) throw refusal(401, "invalid_token");
  if (`0x${row.contract_address.toString("hex")}` !== request.params.contract.toLowerCase())
    throw refusal(403, "wrong_contract");
  if (!row.scopes.includes(request.method === "GET" ? "batches:read" : "batches:write"))
    throw refusal(403, "missing_scope");
  request.contract = row.contract_address;
});

const text = { type: "string" };
const timestamp = { type: "string", format: "date-time" };
const typed = (properties, rest) => ({ type: "object", properties, ...rest });
const strict = (properties, required = []) => typed(properties, { required, additionalProperties: false });
const pointType = { enum: ["PHASE2_POINTS", "PHASE2_GOLD"] };
const transfer = strict({ toAddress: text, points: text }, ["toAddress", "points"]);
const secondsToFinalize = { type: "integer", minimum: 3600, maximum: WAIT_SECONDS_MAX, nullable: true };
const transfers = { type: "array", minItems: 1, maxItems: 2000, items: transfer };
const submitBody = strict({ pointType, secondsToFinalize, transfers }, ["pointType", "transfers"]);
const submitReply = typed({ success: { type: "boolean" }, batchId: text });
const listQuery = strict({
  pointType,
  status: { enum: ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"] },
  createdAfter: timestamp,
  createdBefore: timestamp,
  limit: { type: "string", pattern: "^([1-9][0-9]?|1[0-9]{2}|200)$" },
  cursor: { type: "string", pattern: "^[0-9]{1,15}\\.[0-9]{1,18}$" },
});
const names = ["id", "contractAddress", "pointType", "createdAt", "finalizeAt", "status", "points"];
const texts = Object.fromEntries(names.map((name) => [name, text]));
const nullable = { type: "string", nullable: true };
const batchReply = typed({ ...texts, updatedAt: nullable, transferCount: { type: "integer" } });
const batch = { type: "array", items: batchReply };
const listReply = typed({ success: { type: "boolean" }, batch, cursor: nullable });
const PATH = "/v1/contracts/:contract/batches";
app.post(PATH, { schema: { body: submitBody, response: { 200: submitReply } } }, submit);
app.get(PATH, { schema: { querystring: listQuery, response: { 200: listReply } } }, list);

async function submit(request) {
  const { pointType, transfers, secondsToFinalize } = request.body;
  const { total, addresses, points } = checkRows(transfers, MINIMUM_UNITS[pointType], request.contract);
  const wait = secondsToFinalize ?? WAIT_SECONDS_MAX;
  const id = randomUUID();
  const digest = createHash("sha256").update(addresses).update(points).digest();
  // The account is locked last, because the update reads what the transfers' insert returned.
  const stored = await sql`
    with batch as (
      insert into batches (contract_address, id, point_type, points, transfer_count, wait_seconds, digest,
        submitted_by, submit_request_id, created_at, finalize_at)
      values (${request.contract}, ${id}, ${pointType}::point_type, ${total}::text::numeric,
        ${transfers.length}::int, ${wait}::int, ${digest}, 'token:expert', ${request.id},
        date_trunc('milliseconds', now()),
        date_trunc('milliseconds', now()) + ${wait}::int * interval '1 second')
      returning seq, contract_address
    ), rows as (
      insert into transfers (batch_seq, contract_address, position, to_address, points)
      select b.seq, b.contract_address, u.position - 1, u.address, u.points
      from batch b, unnest(${addresses}::text::bytea[], ${points}::text::numeric[]) with ordinality
        as u (address, points, position)
      returning 1
    )
    update accounts set pending = pending + ${total}::text::numeric
    where address = ${request.contract} and point_type = ${pointType}::point_type
      and (select count(*) from rows) > 0
    returning 1`;
  if (stored.length === 0) throw refusal(404, "contract_not_found");
  return { success: true, batchId: id };
}

function checkRows(transfers, minimum, contract) {
  const own = `0x${contract.toString("hex")}`;
  const seen = new Set();
  const errors = [];
  let total = 0n;
  let addresses = "{";
  let points = "{";
  for (let row = 0; row < transfers.length; row++) {
    const { toAddress, points: amount } = transfers[row];
    const key = toAddress.toLowerCase();
    if (!isAddress(toAddress, key)) errors.push({ row, code: "invalid_address" });
    else if (seen.has(key)) errors.push({ row, code: "duplicate_destination" });
    else if (key === own || key === ZERO) errors.push({ row, code: "invalid_destination" });
    seen.add(key);
    const units = toUnits(amount);
    if (units === null) errors.push({ row, code: "invalid_points" });
    else if (units < minimum) errors.push({ row, code: "points_below_minimum" });
    else total += units;
    const comma = row === 0 ? "" : ",";
    addresses += `${comma}"\\\\x${key.slice(2)}"`;
    points += comma + amount;
  }
  if (errors.length > 0) throw refusal(400, "validation_failed", errors.slice(0, 100));
  const units = total.toString().padStart(SCALE + 1, "0");
  const text = `${units.slice(0, -SCALE)}.${units.slice(-SCALE)}`;
  return { total: text, addresses: `${addresses}}`, points: `${points}}` };
}

const nibbleOf = (hash, i) => (i % 2 === 0 ? hash[i >> 1] >> 4 : hash[i >> 1] & 15);

/** Forty hex digits; a mixed-case address must have a valid EIP-55 checksum. */
function isAddress(text, lower) {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  if (text === lower || !/[a-f]/.test(text)) return true;
  const hash = sha3.keccak256.array(lower.slice(2));
  for (let i = 0; i < 40; i++) {
    const code = text.charCodeAt(i + 2);
    if (code >= 65 && code < 97 !== nibbleOf(hash, i) >= 8) return false;
  }
  return true;
}

function checksummed(bytes) {
  const hex = bytes.toString("hex");
  const hash = sha3.keccak256.array(hex);
  return `0x${hex.replace(/[a-f]/g, (digit, i) => (nibbleOf(hash, i) >= 8 ? digit.toUpperCase() : digit))}`;
}

/** An amount in units of its last decimal place, or null. */
function toUnits(text) {
  if (!/^(?:0|[1-9][0-9]{0,25})(?:\.[0-9]{1,12})?$/.test(text)) return null;
  const point = text.indexOf(".");
  if (point === -1) return BigInt(text + "0".repeat(SCALE));
  return BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(SCALE, "0"));
}

async function list(request) {
  const { pointType, status, createdAfter, createdBefore, cursor } = request.query;
  const limit = Number(request.query.limit ?? 50);
  const [ms, seq] = cursor?.split(".") ?? [];
  const rows = await sql`
    select seq, id, point_type as "pointType", status, trim_scale(points)::text as points,
      transfer_count as "transferCount",
      created_at as "createdAt", finalize_at as "finalizeAt", updated_at as "updatedAt"
    from batches where contract_address = ${request.contract}
    ${pointType ? sql`and point_type = ${pointType}` : sql``} ${status ? sql`and status = ${status}` : sql``}
    ${createdAfter ? sql`and created_at > ${createdAfter}` : sql``}
    ${createdBefore ? sql`and created_at < ${createdBefore}` : sql``}
    ${cursor ? sql`and (created_at, seq) < (${new Date(Number(ms))}, ${seq}::bigint)` : sql``}
    order by created_at desc, seq desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const contractAddress = checksummed(request.contract);
  return {
    success: true,
    batch: page.map((row) => ({
      ...row,
      contractAddress,
      createdAt: row.createdAt.toISOString(),
      finalizeAt: row.finalizeAt.toISOString(),
      updatedAt: row.updatedAt?.toISOString() ?? null,
    })),
    cursor: rows.length > limit ? `${last.createdAt.getTime()}.${last.seq}` : null,
  };
}

process.send({ url: await app.listen({ port: 0, host: "127.0.0.1" }) });
process.once("SIGTERM", () => process.exit(0));
