// The service that an expert would write by hand for submit and list only: Fastify, postgres.js, one file.
import { createHash, randomUUID } from "node:crypto";
import Fastify from "fastify";
import sha3 from "js-sha3";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL, { max: Number(process.env.POOL_MAX ?? 10), onnotice() {} });
const app = Fastify({ bodyLimit: 1_048_576 });

const SCALE = 12;
const MINIMUM_UNITS = { PHASE2_POINTS: toUnits("0.01"), PHASE2_GOLD: toUnits("0.000001") };
const WAIT_SECONDS_MAX = 86_400;
const ZERO = `0x${"0".repeat(40)}`;

class Refusal extends Error {
  constructor(statusCode, code, extra) {
    super(code);
    Object.assign(this, { statusCode, code, extra });
  }
}

app.setErrorHandler((error, _request, reply) => {
  const statusCode = error.statusCode ?? (error.constraint_name === "accounts_available" ? 422 : 500);
  const code = error.constraint_name === "accounts_available" ? "insufficient_points" : error.code;
  reply
    .code(statusCode)
    .type("application/problem+json")
    .send({ status: statusCode, code: statusCode === 500 ? "internal_error" : code, errors: error.extra });
});

app.decorateRequest("contract", null);
app.addHook("onRequest", async (request) => {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (!token) throw new Refusal(401, "missing_token");
  const hash = createHash("sha256").update(token).digest();
  const [row] = await sql`
    select contract_address, scopes from access_tokens
    where token_hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > now())`;
  if (!row) throw new Refusal(401, "invalid_token");
  if (`0x${row.contract_address.toString("hex")}` !== request.params.contract.toLowerCase())
    throw new Refusal(403, "wrong_contract");
  if (!row.scopes.includes(request.method === "GET" ? "batches:read" : "batches:write"))
    throw new Refusal(403, "missing_scope");
  request.contract = row.contract_address;
});

const submitBody = {
  type: "object",
  required: ["pointType", "transfers"],
  additionalProperties: false,
  properties: {
    pointType: { enum: ["PHASE2_POINTS", "PHASE2_GOLD"] },
    secondsToFinalize: { type: "integer", minimum: 3600, maximum: WAIT_SECONDS_MAX, nullable: true },
    transfers: {
      type: "array",
      minItems: 1,
      maxItems: 2000,
      items: {
        type: "object",
        required: ["toAddress", "points"],
        additionalProperties: false,
        properties: { toAddress: { type: "string" }, points: { type: "string" } },
      },
    },
  },
};
const submitReply = {
  type: "object",
  properties: { success: { type: "boolean" }, batchId: { type: "string" } },
};
// Fastify's defaults coerce types and drop unknown keys, which would accept what we refuse.
app.setValidatorCompiler(await strictValidator());

app.post(
  "/v1/contracts/:contract/batches",
  { schema: { body: submitBody, response: { 200: submitReply } } },
  submit,
);
async function submit(request) {
  const { pointType, transfers, secondsToFinalize } = request.body;
  const { total, addresses, points } = checkRows(transfers, MINIMUM_UNITS[pointType], request.contract);
  const wait = secondsToFinalize ?? WAIT_SECONDS_MAX;
  const id = randomUUID();
  const digest = createHash("sha256").update(addresses).update(points).digest();
  // The account is locked last, because the update reads what the transfers' insert returned.
  const stored = await sql`
    with batch as (
      insert into batches (contract_address, id, point_type, points, transfer_count, wait_seconds, digest, submitted_by,
        submit_request_id, created_at, finalize_at)
      values (${request.contract}, ${id}, ${pointType}::point_type, ${total}::text::numeric, ${transfers.length}::int,
        ${wait}::int, ${digest}, 'token:expert', ${request.id}, date_trunc('milliseconds', now()),
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
    where address = ${request.contract} and point_type = ${pointType}::point_type and (select count(*) from rows) > 0
    returning 1`;
  if (stored.length === 0) throw new Refusal(404, "contract_not_found");
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
  if (errors.length > 0) throw new Refusal(400, "validation_failed", errors.slice(0, 100));
  return { total: fromUnits(total), addresses: `${addresses}}`, points: `${points}}` };
}

/** Forty hex digits; a mixed-case address must have a valid EIP-55 checksum. */
function isAddress(text, lower) {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  if (text === lower || !/[a-f]/.test(text)) return true;
  const hash = sha3.keccak256.array(lower.slice(2));
  for (let i = 0; i < 40; i++) {
    const code = text.charCodeAt(i + 2);
    if (code < 65) continue;
    const nibble = i % 2 === 0 ? hash[i >> 1] >> 4 : hash[i >> 1] & 15;
    if (code < 97 !== nibble >= 8) return false;
  }
  return true;
}

function checksummed(bytes) {
  const hex = bytes.toString("hex");
  const hash = sha3.keccak256.array(hex);
  let out = "0x";
  for (let i = 0; i < 40; i++) {
    const nibble = i % 2 === 0 ? hash[i >> 1] >> 4 : hash[i >> 1] & 15;
    out += nibble >= 8 ? hex[i].toUpperCase() : hex[i];
  }
  return out;
}

/** An amount in units of its last decimal place, or null. */
function toUnits(text) {
  if (!/^(?:0|[1-9][0-9]{0,25})(?:\.[0-9]{1,12})?$/.test(text)) return null;
  const point = text.indexOf(".");
  if (point === -1) return BigInt(text + "0".repeat(SCALE));
  return BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(SCALE, "0"));
}

function fromUnits(units) {
  const digits = units.toString().padStart(SCALE + 1, "0");
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`;
}

const listQuery = {
  type: "object",
  additionalProperties: false,
  properties: {
    pointType: { enum: ["PHASE2_POINTS", "PHASE2_GOLD"] },
    status: { enum: ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"] },
    createdAfter: { type: "string", format: "date-time" },
    createdBefore: { type: "string", format: "date-time" },
    limit: { type: "string", pattern: "^([1-9][0-9]?|1[0-9]{2}|200)$" },
    cursor: { type: "string", pattern: "^[0-9]{1,15}\\.[0-9]{1,18}$" },
  },
};
const text = { type: "string" };
const listReply = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    batch: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: text,
          contractAddress: text,
          pointType: text,
          createdAt: text,
          finalizeAt: text,
          updatedAt: { type: "string", nullable: true },
          status: text,
          points: text,
          transferCount: { type: "integer" },
        },
      },
    },
    cursor: { type: "string", nullable: true },
  },
};

app.get(
  "/v1/contracts/:contract/batches",
  { schema: { querystring: listQuery, response: { 200: listReply } } },
  list,
);
async function list(request) {
  const { pointType, status, createdAfter, createdBefore, cursor } = request.query;
  const limit = Number(request.query.limit ?? 50);
  const [ms, seq] = cursor ? cursor.split(".") : [];
  const rows = await sql`
    select seq, id, point_type, status, trim_scale(points)::text as points, transfer_count, created_at, finalize_at, updated_at
    from batches where contract_address = ${request.contract}
    ${pointType ? sql`and point_type = ${pointType}` : sql``} ${status ? sql`and status = ${status}` : sql``}
    ${createdAfter ? sql`and created_at > ${createdAfter}` : sql``}
    ${
      cursor
        ? sql`and (created_at, seq) < (${new Date(Number(ms))}, ${seq}::bigint)`
        : createdBefore
          ? sql`and created_at < ${createdBefore}`
          : sql``
    }
    order by created_at desc, seq desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const contractAddress = checksummed(request.contract);
  return {
    success: true,
    batch: page.map((row) => ({
      id: row.id,
      contractAddress,
      pointType: row.point_type,
      createdAt: row.created_at.toISOString(),
      finalizeAt: row.finalize_at.toISOString(),
      updatedAt: row.updated_at?.toISOString() ?? null,
      status: row.status,
      points: row.points,
      transferCount: row.transfer_count,
    })),
    cursor: rows.length > limit ? `${last.created_at.getTime()}.${last.seq}` : null,
  };
}

async function strictValidator() {
  const { default: Ajv } = await import("ajv");
  const { default: addFormats } = await import("ajv-formats");
  const ajv = new Ajv({ coerceTypes: false, removeAdditional: false, allErrors: false });
  addFormats(ajv);
  return ({ schema }) => ajv.compile(schema);
}

const address = await app.listen({ port: Number(process.env.PORT ?? 0), host: "127.0.0.1" });
process.send?.({ url: address });
for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(
    signal,
    () =>
      void app
        .close()
        .then(() => sql.end({ timeout: 2 }))
        .then(() => process.exit(0)),
  );
}
