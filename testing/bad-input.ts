import { gzipSync } from "node:zlib";
import type { Database } from "@/db/client";
import { createAccessToken, TOKEN_SCOPES, type TokenScope } from "@/server/auth/tokens";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { listBatches } from "@/server/batches/list/list-batches";
import type { FieldCode, ProblemCode } from "@/server/kernel/values/problems";
import { batchOf, newContract, submit, testContext } from "./factories";

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

interface BadRow extends Partial<Pick<BadRequest, "method" | "headers" | "field">> {
  name: string;
  path?: string;
  token?: string | null;
  body?: string | Uint8Array | Uint8Array[];
  status?: number;
  code?: ProblemCode;
}

/** Turns a row into a request; by default a POST of a batch with the contract's token, refused as `validation_failed`. */
function toRequest(world: BadInputWorld, row: BadRow): BadRequest {
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
function refused(status: number, code: ProblemCode, name: string, row: Omit<BadRow, "name"> = {}): BadRow {
  return { name, status, code, ...row };
}

/** A row that is refused as `validation_failed`, with this code among its errors. */
const invalid = (field: FieldCode | undefined, name: string, row: Omit<BadRow, "name">): BadRow => ({
  name,
  field,
  ...row,
});

const short = (value: unknown) => (JSON.stringify(value) ?? "absent").slice(0, 50);

const CONTRACT_ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OTHER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const UNFUNDED = "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb";
const UNREGISTERED = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/** Creates what the bad requests need, in an empty database. */
export async function makeBadInputWorld(db: Database): Promise<BadInputWorld> {
  await newContract(db, { address: CONTRACT_ADDRESS });
  await newContract(db, { address: OTHER });
  await newContract(db, { address: UNFUNDED, issuance: "PREFUNDED" });
  for (const contract of [CONTRACT_ADDRESS, OTHER]) {
    for (const batchId of ["pending", "cancelled", "second", "third"]) {
      await submit(db, batchOf(contract, [[1, "10.5"]], { batchId, secondsToFinalize: 3600 }));
    }
    await cancelBatch(testContext(db), { contractAddress: contract, batchId: "cancelled" });
  }
  const token = async (contractAddress: string, scopes: TokenScope[], expiresAt: string | null = null) =>
    (await createAccessToken(testContext(db, "ops"), { contractAddress, name: "test", scopes, expiresAt }))
      .token;
  const cursor = async (query: object) =>
    (await listBatches(testContext(db), { contractAddress: CONTRACT_ADDRESS, limit: 1, ...query })).cursor!;
  const both: TokenScope[] = ["batches:read", "batches:write"];
  const revoked = await createAccessToken(testContext(db, "ops"), {
    contractAddress: CONTRACT_ADDRESS,
    name: "revoked",
    scopes: both,
    expiresAt: null,
  });
  await db.sql`update access_tokens set revoked_at = now() where id = ${revoked.id}`;
  await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    contract: CONTRACT_ADDRESS,
    other: OTHER,
    unfunded: UNFUNDED,
    unregistered: UNREGISTERED,
    tokens: {
      own: await token(CONTRACT_ADDRESS, [...TOKEN_SCOPES]),
      read: await token(CONTRACT_ADDRESS, ["batches:read"]),
      write: await token(CONTRACT_ADDRESS, ["batches:write"]),
      other: await token(OTHER, both),
      unfunded: await token(UNFUNDED, both),
      expired: await token(CONTRACT_ADDRESS, both, "2026-01-01T00:00:00Z"),
      revoked: revoked.token,
    },
    cursors: {
      plain: await cursor({}),
      ascending: await cursor({ sort: "ASC" }),
      pending: await cursor({ statuses: ["PENDING"] }),
      other: await cursor({ contractAddress: OTHER }),
    },
  };
}

/** Values without spaces. */
const words = (list: string) => list.trim().split(/\s+/);

type Values = Partial<Record<FieldCode | "any", unknown[]>>;
/** Each value with the code that its error must have; `any` for no particular one. */
const each = <T>(values: Values): [T, FieldCode | undefined][] =>
  Object.entries(values).flatMap(([code, list]) =>
    list.map((value): [T, FieldCode | undefined] => [
      value as T,
      code === "any" ? undefined : (code as FieldCode),
    ]),
  );

const MEBIBYTE = 1_048_576;
const MEDIA_TYPES = [
  ...words(`text/plain text/json application/x-www-form-urlencoded application/json5 application/problem+json
    application/vnd.api+json application/jsonx application/octet-stream json */*`),
  "",
  "multipart/form-data; boundary=x",
  "application/json; charset=latin1",
  "application/json; charset=utf-16",
  "application/json, text/plain",
  "application/json; charset=iso-8859-1",
];
const ENCODINGS = ["gzip", "br", "deflate", "zstd", "gzip, identity", "GZIP", "x-gzip"];

const NOT_WAITS = each<unknown>({
  out_of_range: [0, -1, 3599, 86_401, 1e308, 2 ** 53],
  invalid_type: [3600.5, "3600", "", true, [], [3600], {}],
});
const NOT_TYPES: unknown[] = [
  ...words("phase2_points PHASE2 LIQUIDITY DEVELOPER __proto__ constructor toString"),
  ...[undefined, null, "", "PHASE2_POINTS ", 1, true, [], {}, ["PHASE2_POINTS"], "\u0000"],
];
const NOT_TRANSFERS: [string, unknown, FieldCode][] = [
  ["missing", undefined, "required"],
  ["null", null, "invalid_type"],
  ["an object", {}, "invalid_type"],
  ["a string", "[]", "invalid_type"],
  ["a number", 1, "invalid_type"],
  ["empty", [], "out_of_range"],
  ["with a null row", [null], "invalid_type"],
  ["with a list as row", [[]], "invalid_type"],
  ["with a string as row", ["0x"], "invalid_type"],
  ["with an empty row", [{}], "required"],
  ["with an unknown field", [{ toAddress: RECIPIENT, points: "1", memo: "x" }], "unknown_field"],
  ["with a field in another case", [{ toaddress: RECIPIENT, points: "1" }], "unknown_field"],
  ["nested", [[{ toAddress: RECIPIENT, points: "1" }]], "invalid_type"],
];
const UNKNOWN_KEYS = [
  ...words("foo batchId id status points PointType __proto__ constructor toString hasOwnProperty then a/b~c"),
  ...["", "\ud800", "x".repeat(5000)],
];

/** Bodies that are too large, have the wrong media type, or are not allowed. */
function badBodies(world: BadInputWorld): BadRow[] {
  const unsupported = (name: string, row: Omit<BadRow, "name">) =>
    refused(415, "unsupported_media_type", name, row);
  const tooLarge = (name: string, row: Omit<BadRow, "name">) => refused(413, "body_too_large", name, row);
  const large = Buffer.alloc(MEBIBYTE + 1, " ");
  large.write(batchBody());
  const path = `/v1/contracts/${world.contract}/batches/pending`;
  const encoded = (encoding: string, bytes: number): Omit<BadRow, "name"> => ({
    body: gzipSync(Buffer.alloc(bytes, batchBody())),
    headers: [["Content-Encoding", encoding]],
  });
  return [
    ...MEDIA_TYPES.map((type) =>
      unsupported(`Content-Type "${type}"`, { body: batchBody(), headers: [["Content-Type", type]] }),
    ),
    ...ENCODINGS.map((encoding) =>
      unsupported(`Content-Encoding ${encoding}`, encoded(encoding, batchBody().length)),
    ),
    unsupported("a gzip bomb", encoded("gzip", 50_000_000)),
    unsupported("a POST without body and media type", { method: "POST" }),
    tooLarge("1 MiB and one byte", { body: large }),
    tooLarge("1 MiB and one byte, in chunks without a length", {
      body: [large.subarray(0, MEBIBYTE), large.subarray(MEBIBYTE)],
    }),
    tooLarge("1 MiB and one byte, as PUT", { method: "PUT", path, body: large }),
    { name: "a body too large for a GET", method: "GET", path, body: large },
    { name: "a GET with fields in its body", method: "GET", path, body: '{"a":1}' },
    { name: "a DELETE with fields in its body", method: "DELETE", path, body: '{"reason":"x"}' },
    { name: "a DELETE with a list as body", method: "DELETE", path, body: "[]" },
    { name: "a DELETE with a broken body", method: "DELETE", path, body: "{" },
    { name: "a list with text as body", method: "GET", body: "text" },
  ];
}

/** Batch fields that are missing, unknown, or have the wrong type or value. */
function badFields(world: BadInputWorld): BadRow[] {
  const also = (member: string) => `${batchBody().slice(0, -1)},${member}}`;
  const row = `{"toAddress":"${RECIPIENT}","points":"1","__proto__":{"points":"5"}}`;
  const put = { method: "PUT", path: `/v1/contracts/${world.contract}/batches/new` };
  const field = "unknown_field";
  return [
    ...NOT_WAITS.map(
      ([wait, code]): BadRow => ({
        name: `secondsToFinalize ${short(wait)}`,
        body: batchBody({ secondsToFinalize: wait }),
        field: code,
      }),
    ),
    ...NOT_TYPES.map(
      (pointType): BadRow => ({ name: `pointType ${short(pointType)}`, body: batchBody({ pointType }) }),
    ),
    ...NOT_TRANSFERS.map(
      ([name, transfers, code]): BadRow => ({
        name: `transfers ${name}`,
        body: batchBody({ transfers }),
        field: code,
      }),
    ),
    ...UNKNOWN_KEYS.map((key) =>
      invalid(field, `unknown key ${short(key).slice(0, 30)}`, { body: also(`${JSON.stringify(key)}:1`) }),
    ),
    { name: "__proto__ with fields in it", body: also('"__proto__":{"pointType":"PHASE2_GOLD"}'), field },
    { name: "__proto__ in a row", body: `{"pointType":"PHASE2_POINTS","transfers":[${row}]}`, field },
    { name: "contractAddress in the body too", body: batchBody({ contractAddress: world.contract }), field },
    { name: "batchId in the body of a PUT", ...put, body: batchBody({ batchId: "new" }), field },
  ];
}

const ROW = `{"toAddress":"${RECIPIENT}","points":"1"}`;

const NOT_JSON = [
  ...words(`{ } {}x {}{} {'pointType':1} {"pointType":1,} {pointType:1} undefined NaN {"secondsToFinalize":NaN}
    {"secondsToFinalize":Infinity} {"secondsToFinalize":0x10} {"secondsToFinalize":01} {"secondsToFinalize":.5}
    <xml/> pointType=PHASE2_POINTS`),
  ...[
    "",
    " ",
    "\n",
    "/* */ {}",
    '{"a":"\t"}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    "\u0000{}",
    "{}\u0000",
    "\ufeff",
  ],
  ...[`\ufeff\ufeff${batchBody()}`, `${batchBody()}\ufeff`],
];
const NOT_OBJECTS = [
  ...["null", "true", "1", '"text"', "[]", "-0", "1e400"],
  ...[`[${ROW}]`, "[".repeat(100_000) + "]".repeat(100_000)],
];

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
const NOT_UTF8: [string, Uint8Array][] = [
  ["a lone continuation byte", bytes('{"a":"', [0x80], '"}')],
  ["an overlong slash", bytes('{"a":"', [0xc0, 0xaf], '"}')],
  ["a surrogate in UTF-8", bytes('{"a":"', [0xed, 0xa0, 0x80], '"}')],
  ["a cut sequence", bytes('{"a":"', [0xe2, 0x82], '"}')],
  ["beyond U+10FFFF", bytes('{"a":"', [0xf5, 0x80, 0x80, 0x80], '"}')],
  ["Latin-1", bytes('{"a":"caf', [0xe9], '"}')],
  ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${batchBody()}`, "utf16le")],
  ["UTF-16", Buffer.from(batchBody(), "utf16le")],
  ["binary", Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
];

const DUPLICATES = [
  `{"pointType":"PHASE2_POINTS","pointType":"PHASE2_POINTS","transfers":[${ROW}]}`,
  `{"pointType":"PHASE2_GOLD","pointType":"PHASE2_POINTS","transfers":[${ROW}]}`,
  `{"pointType":"PHASE2_POINTS","transfers":[],"transfers":[${ROW}]}`,
  `{"pointType":"PHASE2_POINTS","transfers":[${ROW}],"point\\u0054ype":"PHASE2_POINTS"}`,
  `{"pointType":"PHASE2_POINTS","transfers":[{"toAddress":"${RECIPIENT}","points":"1","points":"1"}]}`,
  `{"pointType":"PHASE2_POINTS","transfers":[{"toAddress":"0x","toAddress":"${RECIPIENT}","points":"1"}]}`,
  `{"pointType":"PHASE2_POINTS","transfers":[${ROW}],"secondsToFinalize":3600,"secondsToFinalize":3600}`,
];

const invalidJson = (name: string, body: BadRow["body"]) => refused(400, "invalid_json", name, { body });

/** Bodies that are not a JSON object, not UTF-8, have duplicate keys, or are edge cases of JSON. */
function badJson(_world: BadInputWorld): BadRow[] {
  const depth = 100_000;
  const points = (transfers: string) => `{"pointType":"PHASE2_POINTS","transfers":${transfers}}`;
  const field = "invalid_type";
  return [
    ...NOT_JSON.map((body) =>
      invalidJson(`not JSON: ${JSON.stringify(body).slice(0, 40)}`, [Buffer.from(body)]),
    ),
    ...NOT_OBJECTS.map((body) => invalidJson(`not an object: ${body.slice(0, 20)}`, body)),
    ...NOT_UTF8.map(([name, body]) => invalidJson(`not UTF-8: ${name}`, body)),
    ...DUPLICATES.map((body, at) => invalidJson(`duplicate keys ${at}: ${body.slice(1, 60)}`, body)),
    invalidJson(
      "not JSON, one byte per chunk",
      [...Buffer.from('{"pointType"')].map((byte) => Buffer.from([byte])),
    ),
    { name: "100,000 lists deep", body: points("[".repeat(depth) + "]".repeat(depth)), field },
    { name: "100,000 objects deep", body: points(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`), field },
    { name: "1e400 seconds", body: batchBody({ secondsToFinalize: 0 }).replace(/0}$/, "1e400}"), field },
    { name: "1e400 points", body: points(`[{"toAddress":"${RECIPIENT}","points":1e400}]`), field },
  ];
}

const CONTRACTS = each<string>({
  invalid_address: [
    ...words("0x vitalik.eth %00 %20 .. {contractAddress} :contractAddress %F0%9F%98%80"),
    ...[`0x${"1".repeat(39)}`, `0x${"1".repeat(41)}`, `0X${"1".repeat(40)}`, "1".repeat(40)],
    `0x${"1".repeat(38)}%2F1`,
  ],
  invalid_checksum: ["0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  any: ["%E0%A4%A", "%", "%zz", "%FF"],
});
/** As in a path; without a code, the path cannot be decoded. */
export const NOT_BATCH_IDS = each<string>({
  invalid_batch_id: [
    ...words(`. .. %2e %2E%2e %20 a%20b a%2Fb %2F %00 a%00 %C3%A9 %F0%9F%98%80 a+b a,b a;b=c pending%0A
      '%20or%201=1--`),
    "x".repeat(65),
  ],
  any: ["%E0%A4%A", "%", "a%2", "%FF"],
});

/** Paths that do not exist, and methods that a path does not have. */
function unknownRoutes(world: BadInputWorld): BadRow[] {
  const batches = `/v1/contracts/${world.contract}/batches`;
  const notFound = [
    "/",
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/V1/contracts",
    "/v2/contracts",
    "/v1/contracts",
    "/v1/contracts/",
    `/v1/contracts/${world.contract}`,
    `/v1/Contracts/${world.contract}/batches`,
    `/v1/contracts/${world.contract}/BATCHES`,
    `${batches}/`,
    `${batches}//`,
    `/v1//contracts//${world.contract}//nothing`,
    `//v1/nothing`,
    `${batches}/pending/`,
    `${batches}/pending/transfers`,
    `${batches}/a/b`,
    `${batches}/pending/root/`,
    `${batches}/pending/receipts`,
    `${batches}/pending/receipts/`,
    "/v1/openapi.json/",
    "/v1/openapi",
    `/v1/contracts/${world.contract}/point-balances/`,
    `/v1/contracts/${world.contract}/statements/`,
    `/v1/contracts/${world.contract}/statements/2026-01`,
    `/v1/contracts/${world.contract}/forecast/`,
    `/v1/contracts/${world.contract}/forecast/PHASE2_GOLD`,
    "/v1/../v1/nothing",
    "/v1/contracts/../../etc/passwd",
    "/v1/batches.submit",
    "/v1/dapp-auth",
    "/v1/dapp-auth/challenge/",
    "/v1/contracts//batches",
  ];
  const methods: [string, string][] = [
    ["PATCH", batches],
    ["PUT", batches],
    ["DELETE", batches],
    ["PROPFIND", batches],
    ["POST", `${batches}/pending`],
    ["PATCH", `${batches}/pending`],
    ["POST", `/v1/contracts/${world.contract}/point-balances`],
    ["DELETE", `/v1/contracts/${world.contract}/point-balances`],
    ["POST", `/v1/contracts/${world.contract}/statements`],
    ["DELETE", `/v1/contracts/${world.contract}/forecast`],
    ["POST", `${batches}/pending/root`],
    ["PUT", `${batches}/pending/receipts/0x${"1".repeat(40)}`],
    ["POST", "/v1/openapi.json"],
    ["DELETE", "/v1/openapi.json"],
    ["GET", "/v1/dapp-auth/challenge"],
    ["PUT", "/v1/dapp-auth/solve"],
  ];
  const shown = (path: string) => path.replace(world.contract, "0x…");
  return [
    ...notFound.map((path) => refused(404, "not_found", `path ${shown(path)}`, { path })),
    ...methods.map(([method, path]) =>
      refused(405, "method_not_allowed", `${method} ${shown(path)}`, { method, path }),
    ),
  ];
}

/** Paths, methods and states that must be refused. */
function badPaths(world: BadInputWorld): BadRow[] {
  const batches = `/v1/contracts/${world.contract}/batches`;
  const wallet = `0x${"1".repeat(40)}`;
  const notFinalized = (path: string) =>
    refused(422, "batch_not_finalized", `GET of ${path}`, { path: `${batches}/${path}` });
  const missing = (name: string, row: Omit<BadRow, "name">) => refused(404, "batch_not_found", name, row);
  const conflict = (name: string, row: Omit<BadRow, "name">) => refused(409, "batch_id_conflict", name, row);
  return [
    ...unknownRoutes(world),
    ...CONTRACTS.map(([address, field]) =>
      invalid(field, `contract ${address}`, { path: `/v1/contracts/${address}/batches` }),
    ),
    ...CONTRACTS.map(([address, field]) =>
      invalid(field, `forecast of ${address}`, { path: `/v1/contracts/${address}/forecast` }),
    ),
    ...NOT_BATCH_IDS.map(([id, field]) => invalid(field, `GET of id ${id}`, { path: `${batches}/${id}` })),
    ...NOT_BATCH_IDS.map(([id, field]) =>
      invalid(field, `root of id ${id}`, { path: `${batches}/${id}/root` }),
    ),
    ...CONTRACTS.map(([address, field]) =>
      invalid(field, `receipt of ${address}`, { path: `${batches}/pending/receipts/${address}` }),
    ),
    ...NOT_BATCH_IDS.map(([id, field]) =>
      invalid(field, `PUT of id ${id}`, { method: "PUT", path: `${batches}/${id}`, body: batchBody() }),
    ),
    ...NOT_BATCH_IDS.slice(0, 4).map(([id, field]) =>
      invalid(field, `DELETE of id ${id}`, { method: "DELETE", path: `${batches}/${id}` }),
    ),
    ...["...", "unknown", "PENDING", "~"].map((id) =>
      missing(`GET of batch ${id}`, { path: `${batches}/${id}` }),
    ),
    missing("root of an unknown batch", { path: `${batches}/unknown/root` }),
    missing("receipt of an unknown batch", { path: `${batches}/unknown/receipts/${wallet}` }),
    ...["pending", "cancelled"].flatMap((id) => [
      notFinalized(`${id}/root`),
      notFinalized(`${id}/receipts/${wallet}`),
    ]),
    missing("DELETE of an unknown batch", { method: "DELETE", path: `${batches}/unknown` }),
    refused(409, "not_cancellable", "DELETE of a cancelled batch", {
      method: "DELETE",
      path: `${batches}/cancelled`,
    }),
    conflict("PUT of other content", {
      method: "PUT",
      path: `${batches}/pending`,
      body: batchBody({ secondsToFinalize: 3601 }),
    }),
    conflict("PUT of other content to a cancelled batch", {
      method: "PUT",
      path: `${batches}/cancelled`,
      body: batchBody({ secondsToFinalize: 3601 }),
    }),
  ];
}

const LIMITS = [
  ...words(
    "0 -1 201 1e2 5.0 5.5 %2B5 abc 0x10 99999999999999999999 1,2 NaN null true %EF%BC%95 %00 Infinity",
  ),
  ...["", " 5", "5 "],
];
const SORTS = ["", ...words("asc desc ASCENDING ASC,DESC createdAt -createdAt ASC%20 1 null")];
const STATUSES = [
  "",
  ...words("pending UNKNOWN PENDING,FINALIZED null PENDING%00 %20PENDING 0 * CANCELED constructor"),
];
const POINT_TYPES = ["", ...words("phase2_points LIQUIDITY DEVELOPER PHASE2_POINTS,PHASE2_GOLD PHASE2 null")];
/** As in a query string. */
export const NOT_TIMES = [
  "",
  ...words(`now yesterday 2026 2026-01 2026-13-01 2026-00-01 2026-02-30 2025-02-29 2026-01-31T12:00:60Z
    2026-01-31T24:00:00Z 2026-01-31T25:00:00Z 2026-01-31T12:60:00Z 2026-01-31T12:00:00 2026-01-31%2012:00:00Z
    20260131T120000Z 1790000000 1790000000000 %2B010000-01-01T00:00:00Z 9999-12-31T23:59:59-12:00
    2026-01-31T12:00:00+25:00 2026-01-31T12:00:00++02:00 2026-01-31T12:00:00+Z 2026-01-31T12:00:00%2B25:00
    2026-01-31T12:00:00%2B2500 2026-01-31T12:00:00%2B02 2026-01-31T12:00:00%2B020 2026-01-31T12:00:00%2B0200x
    2026-01-31T12:00:00%20%2002:00 2026-01-31T12:00:00%20Z 2026-01-31%2002:00 2026-01-310200 -000001-01-01T00:00:00Z 2026-W05-6 2026-031 31.01.2026
    01/31/2026 2026-01-31%00 2026-01-31%0A %202026-01-31 null infinity epoch`),
  "Sat, 31 Jan 2026 12:00:00 GMT",
];
const MONTHS = [
  ...words(`2026 2026-1 2026-00 2026-13 2026-01-01 2026-01-01T00:00:00Z 26-01 202601 2026/01 01-2026 0000-01 0999-12
    -2026-01 %2B2026-01 12026-01 2026-01%00 2026-01%0A %202026-01 2026-01%20 %EF%BC%92026-01 now null constructor`),
  ...["", "January 2026", "' or 1=1 --", "9".repeat(5000)],
];
/** Far in the future, and before anything was registered. */
const MONTHS_WITHOUT_STATEMENT = ["9999-12", "2999-01", "1000-01", "1969-12", "1970-01"];
const UNKNOWN = [
  ...words(`x=1 page=2 offset=10 foo x[]=1 status[]=PENDING filter[status]=PENDING Status=PENDING __proto__=1
    constructor=1 toString=1 hasOwnProperty=1 %00=1 =1 %E0%A4%A=1 idPrefix=a recipient=0x1 batchId=pending
    secondsToFinalize=1`),
  `${"x".repeat(5000)}=1`,
];
/** As in a query string. */
export const NOT_CURSORS = [
  "",
  ...words("x null undefined 0 MQ== %00 ..%2F.. a.b.c.d 1.1.1.1 '%20or%201=1"),
  "1".repeat(5000),
];

/** Query strings of the list that must be refused. */
function badQueries(world: BadInputWorld): BadRow[] {
  const { plain, ascending, pending, other } = world.cursors;
  const list = `/v1/contracts/${world.contract}/batches`;
  const query = (text: string, code: ProblemCode = "validation_failed", field?: FieldCode): BadRow => ({
    name: `?${text.slice(0, 60)}`,
    path: `${list}?${text}`,
    code,
    field,
  });
  const values = (name: string, list: string[], field?: FieldCode) =>
    list.map((value) => query(`${name}=${value}`, "validation_failed", field));
  const statements = `/v1/contracts/${world.contract}/statements`;
  const statement = (text: string, field: FieldCode): BadRow => ({
    name: `statements?${text.slice(0, 60)}`,
    path: `${statements}?${text}`,
    field,
  });
  const edited = plain.slice(0, -1) + (plain.endsWith("0") ? "1" : "0");
  return [
    ...values("limit", LIMITS),
    ...values("sort", SORTS, "invalid_value"),
    ...values("status", STATUSES, "invalid_value"),
    ...values("pointType", POINT_TYPES, "invalid_value"),
    ...values("createdAfter", NOT_TIMES, "invalid_timestamp"),
    ...values("createdBefore", NOT_TIMES.slice(0, 8), "invalid_timestamp"),
    ...UNKNOWN.map((text) => query(text, "validation_failed", "unknown_field")),
    query("status=PENDING&status=PENDING", "validation_failed", "invalid_value"),
    query("limit=1&limit=2", "validation_failed", "invalid_value"),
    query("sort=ASC&sort=DESC", "validation_failed", "invalid_value"),
    query(`cursor=${plain}&cursor=${plain}`, "validation_failed", "invalid_value"),
    query(`contractAddress=${world.contract}`, "validation_failed", "unknown_field"),
    query(`contractAddress=${world.other}`, "validation_failed", "unknown_field"),
    ...NOT_CURSORS.map((cursor) => query(`cursor=${cursor}`, "invalid_cursor")),
    query("cursor=%E0%A4%A", "invalid_cursor"),
    query(`cursor=${edited}`, "invalid_cursor"),
    query(`cursor=${plain}0`, "invalid_cursor"),
    query(`cursor=${plain.toUpperCase()}`, "invalid_cursor"),
    query(`cursor=${plain}%20`, "invalid_cursor"),
    query(`cursor=${other}`, "cursor_mismatch"),
    query(`cursor=${ascending}`, "cursor_mismatch"),
    query(`cursor=${pending}`, "cursor_mismatch"),
    query(`cursor=${plain}&sort=ASC`, "cursor_mismatch"),
    query(`cursor=${plain}&status=PENDING`, "cursor_mismatch"),
    query(`cursor=${pending}&status=FINALIZED`, "cursor_mismatch"),
    query(`cursor=${plain}&pointType=PHASE2_GOLD`, "cursor_mismatch"),
    query(`cursor=${plain}&createdAfter=2020-01-01`, "cursor_mismatch"),
    {
      name: "a query on a POST",
      path: `${list}?limit=1`,
      method: "POST",
      body: "{}",
      field: "unknown_field",
    },
    ...["yes", "1", "TRUE", "", "true&dryRun=true", "null"].map((value) => ({
      name: `a submit with ?dryRun=${value}`,
      path: `${list}?dryRun=${value}`,
      body: batchBody(),
    })),
    { name: "dryRun in the body", body: batchBody({ dryRun: true }), field: "unknown_field" as const },
    { name: "dryRun of a list", path: `${list}?dryRun=true`, field: "unknown_field" as const },
    { name: "a query on a GET of one batch", path: `${list}/pending?fields=id`, field: "unknown_field" },
    {
      name: "a query on a DELETE",
      path: `${list}/pending?force=true`,
      method: "DELETE",
      field: "unknown_field",
    },
    {
      name: "a query on balances",
      path: `/v1/contracts/${world.contract}/point-balances?pointType=PHASE2_GOLD`,
      field: "unknown_field",
    },
    ...["pointType=PHASE2_GOLD", "days=7", "hours[]=1"].map((text) => ({
      name: `a forecast with ?${text}`,
      path: `/v1/contracts/${world.contract}/forecast?${text}`,
      field: "unknown_field" as const,
    })),
    { name: "a query on a root", path: `${list}/pending/root?position=0`, field: "unknown_field" },
    {
      name: "a query on a receipt",
      path: `${list}/pending/receipts/${world.other}?position=0`,
      field: "unknown_field",
    },
    ...MONTHS.map((month) => statement(`month=${month}`, "invalid_value")),
    ...MONTHS_WITHOUT_STATEMENT.map((month) => statement(`month=${month}`, "out_of_range")),
    ...POINT_TYPES.map((type) => statement(`month=2026-01&pointType=${type}`, "invalid_value")),
    { name: "statements without a month", path: statements, field: "required" as const },
    statement("month=2026-01&month=2026-02", "invalid_value"),
    statement("month=2026-01&zone=Europe/Berlin", "unknown_field"),
    statement("Month=2026-01", "unknown_field"),
  ];
}

export const NOT_AMOUNTS = [
  ...words(`1e3 1E3 -0 +1 -1 1. .5 . NaN Infinity -Infinity 0x10 0b1 1,000 1_000 1.000,5 １２ ٣ 00 007 01.5
    0.1234567890123 1.5.5 1/2 ½ 1n null $1`),
  ...["", " 1", "1 ", "\t1", "1 000", "1\n", "\n1", "1\u0000", "\ud800", "1".repeat(100_000)],
  ...[`1${"0".repeat(26)}`, `1${"0".repeat(40)}`],
];
const TOO_SMALL = ["0", "0.0", "0.000000000000", "0.009999999999", "0.001"];
export const NOT_ADDRESS_TEXTS = [
  ...words(
    `0x vitalik.eth 0x1 null XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq`,
  ),
  ...[
    `0x${"1".repeat(39)}`,
    `0x${"1".repeat(41)}`,
    `0X${"1".repeat(40)}`,
    "1".repeat(40),
    `0x${"g".repeat(40)}`,
  ],
  ...[` ${RECIPIENT}`, `${RECIPIENT} `, `${RECIPIENT}\n`, `${RECIPIENT}\u0000`, `0x${"１".repeat(40)}`],
  ...[`0x${"-1".repeat(20)}`, `0x0x${"1".repeat(38)}`, "0x".repeat(21), "", "\ud800", "a".repeat(100_000)],
  "'; drop table batches; --",
];
const WRONG_CHECKSUMS = [
  // Of Rootstock (EIP-1191, chain 30).
  "0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD",
  "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",
  "0xfb6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  `0x${"aA".repeat(20)}`,
  `0x${"F".repeat(39)}f`,
];
const NOT_STRINGS = each<unknown>({
  invalid_type: [1, 1.5, 0, true, null, [], {}, ["1"]],
  required: [undefined],
});

/** Invalid fields and rows of a submitted batch. */
function badRows(world: BadInputWorld): BadRow[] {
  const row = (toAddress: unknown, points: unknown) => batchBody({ transfers: [{ toAddress, points }] });
  const rows = (...list: [string, string][]) =>
    batchBody({ transfers: list.map(([toAddress, points]) => ({ toAddress, points })) });
  const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`;
  const other = `0x${"ab".repeat(20)}`;
  const many = Array.from({ length: 2001 }, (_, i) => ({
    toAddress: `0x${String(i + 1).padStart(40, "0")}`,
    points: "1",
  }));
  const destinations: [string, string, FieldCode][] = [
    ["the same address twice", rows([other, "1"], [other, "1"]), "duplicate_destination"],
    [
      "the same address in two cases",
      rows([other, "1"], [RECIPIENT, "1"], [upper(other), "2"]),
      "duplicate_destination",
    ],
    ["the contract itself", row(world.contract, "1"), "destination_is_contract"],
    ["the contract itself in lower case", row(world.contract.toLowerCase(), "1"), "destination_is_contract"],
    ["the contract itself in upper case", row(upper(world.contract), "1"), "destination_is_contract"],
    ["the zero address", row(`0x${"0".repeat(40)}`, "1"), "destination_is_zero"],
    [
      "an invalid row after a thousand valid ones",
      batchBody({ transfers: [...many.slice(0, 1000), { toAddress: other, points: "1,5" }] }),
      "invalid_points",
    ],
    ["2,001 rows", batchBody({ transfers: many }), "out_of_range"],
  ];
  return [
    ...NOT_AMOUNTS.map((points) =>
      invalid("invalid_points", `points ${short(points)}`, { body: row(RECIPIENT, points) }),
    ),
    ...TOO_SMALL.map((points) =>
      invalid("points_below_minimum", `points ${points}`, { body: row(RECIPIENT, points) }),
    ),
    {
      name: "gold below its minimum",
      body: batchBody({
        pointType: "PHASE2_GOLD",
        transfers: [{ toAddress: RECIPIENT, points: "0.000000999999" }],
      }),
      field: "points_below_minimum",
    },
    ...NOT_STRINGS.map(([points, field]) =>
      invalid(field, `points as JSON ${short(points)}`, { body: row(RECIPIENT, points) }),
    ),
    ...NOT_ADDRESS_TEXTS.map((to) =>
      invalid("invalid_address", `toAddress ${short(to)}`, { body: row(to, "1") }),
    ),
    ...WRONG_CHECKSUMS.map((to) => invalid("invalid_checksum", `toAddress ${to}`, { body: row(to, "1") })),
    ...NOT_STRINGS.map(([to, field]) =>
      invalid(field, `toAddress as JSON ${short(to)}`, { body: row(to, "1") }),
    ),
    ...destinations.map(([name, body, field]) => invalid(field, name, { body })),
    {
      name: "more points than a PREFUNDED contract has",
      path: `/v1/contracts/${world.unfunded}/batches`,
      token: world.tokens.unfunded,
      body: batchBody(),
      status: 422,
      code: "insufficient_points",
    },
  ];
}

const SEALED = `${Buffer.from("{}").toString("base64url")}.${"A".repeat(43)}`;
const SIGNATURE = `0x${"5d41".repeat(32)}1b`;

const NOT_ADDRESSES: unknown[] = [undefined, null, "", "0x", 1, [], "vitalik.eth", `0x${"g".repeat(40)}`];
const NOT_SIGNATURES: unknown[] = [undefined, null, "", "0x", "0x1", 1, {}, "5d41", `0x${"00".repeat(4097)}`];
const NOT_CHALLENGES: unknown[] = [undefined, null, "", 7, [], "x".repeat(2049)];
const NOT_SEALS = ["x", ".", "a.b", SEALED, `${SEALED}.x`, SEALED.replace(".", " ")];

/** Sign-in requests that are incomplete, or have a challenge from elsewhere. */
function badSignIns(world: BadInputWorld): BadRow[] {
  const both = { contractAddress: world.contract, operatorAddress: world.other };
  const row = (name: string, path: string, body: object): BadRow => ({
    name: `${path}: ${name}`,
    path: `/v1/dapp-auth/${path}`,
    token: null,
    body: JSON.stringify(body),
  });
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60) ?? "nothing";
  return [
    ...NOT_ADDRESSES.flatMap((value) => [
      row(`contract ${shown(value)}`, "challenge", { ...both, contractAddress: value }),
      row(`operator ${shown(value)}`, "challenge", { ...both, operatorAddress: value }),
    ]),
    row("another field", "challenge", { ...both, chainId: 1 }),
    ...NOT_SIGNATURES.map((signature) =>
      row(`signature ${shown(signature)}`, "solve", { challengeData: SEALED, signature }),
    ),
    ...NOT_CHALLENGES.map((challengeData) =>
      row(`challenge ${shown(challengeData)}`, "solve", { challengeData, signature: SIGNATURE }),
    ),
    ...NOT_SEALS.map((challengeData) => ({
      ...row(`seal ${shown(challengeData)}`, "solve", { challengeData, signature: SIGNATURE }),
      status: 401,
      code: "challenge_expired" as const,
    })),
    {
      ...row("a contract that is not registered", "challenge", {
        ...both,
        contractAddress: world.unregistered,
      }),
      status: 404,
      code: "contract_not_found",
    },
    ...["challenge", "solve"].map((path) =>
      refused(413, "body_too_large", `${path} with a body of 16 KB and one byte`, {
        path: `/v1/dapp-auth/${path}`,
        token: null,
        body: `${JSON.stringify(both)}${" ".repeat(16_385)}`.slice(0, 16_385),
      }),
    ),
    refused(415, "unsupported_media_type", "solve without a body", {
      path: "/v1/dapp-auth/solve",
      method: "POST",
      token: null,
    }),
  ];
}

/** Callers without permission: no token, a garbled or expired one, another contract's, or one without the scope. */
function badTokens(world: BadInputWorld): BadRow[] {
  const batches = `/v1/contracts/${world.contract}/batches`;
  const garbled = [
    "Bearer",
    "Bearer ptb_nonsense",
    "Basic dXNlcjpwYXNz",
    "Token x",
    world.tokens.own,
    `Bearer ${world.tokens.own}x`,
    `Bearer ${world.tokens.own} x`,
    `Bearer ${world.tokens.own.toUpperCase()}`,
    `Bearer ${world.tokens.own}, Bearer ${world.tokens.own}`,
    `Bearer "${world.tokens.own}"`,
    `Bearer: ${world.tokens.own}`,
    `Bearer ptb_${"0".repeat(36)}`,
    `Bearer ${"x".repeat(4000)}`,
    "Bearer ' or 1=1 --",
    "Bearer null",
    "Bearer undefined",
  ];
  const ofOther = (path: string) => `/v1/contracts/${world.other}${path}`;
  type Change = Omit<BadRow, "name">;
  const missingToken = (name: string, row: Change) =>
    refused(401, "missing_token", name, { token: null, ...row });
  const token401 = (name: string, row: Change) => refused(401, "invalid_token", name, row);
  const expired = (name: string, token: string) => refused(401, "expired_token", name, { token });
  const wrongContract = (name: string, row: Change) => refused(403, "wrong_contract", name, row);
  const unregistered = (name: string, row: Change) => refused(404, "contract_not_found", name, row);
  const missingScope = (name: string, row: Change) => refused(403, "missing_scope", name, row);
  const writeOnly = (name: string, path: string) =>
    missingScope(`${name} with a write-only token`, { token: world.tokens.write, path });
  return [
    missingToken("no Authorization", {}),
    missingToken("no Authorization, and everything else wrong too", {
      path: "/v1/contracts/x/batches?y=1",
      method: "POST",
      body: "{",
    }),
    missingToken("a token in the query", {
      path: `${batches}?access_token=${world.tokens.own}`,
    }),
    ...garbled.map((value) =>
      token401(`Authorization ${value.replaceAll(world.tokens.own, "<token>").slice(0, 50)}`, {
        headers: [["Authorization", value]],
      }),
    ),
    expired("an expired token", world.tokens.expired),
    expired("a revoked token", world.tokens.revoked),
    token401("Authorization twice", {
      headers: [
        ["Authorization", `Bearer ${world.tokens.own}`],
        ["Authorization", `Bearer ${world.tokens.other}`],
      ],
    }),
    wrongContract("the list of another contract", { path: ofOther("/batches") }),
    wrongContract("a submit for another contract", { token: world.tokens.other, body: batchBody() }),
    wrongContract("a cancel for another contract", {
      token: world.tokens.other,
      method: "DELETE",
      path: `${batches}/pending`,
    }),
    wrongContract("the balances of another contract", { path: ofOther("/point-balances") }),
    wrongContract("the statements of another contract", { path: ofOther("/statements?month=2026-01") }),
    wrongContract("the forecast of another contract", { path: ofOther("/forecast") }),
    wrongContract("a reversal of another contract's batch", {
      path: ofOther("/batches/pending/reversal"),
      body: "{}",
    }),
    wrongContract("a root of another contract", { path: ofOther("/batches/pending/root") }),
    wrongContract("a receipt of another contract", {
      path: ofOther(`/batches/pending/receipts/${world.contract}`),
    }),
    writeOnly("a root", `${batches}/pending/root`),
    writeOnly("a receipt", `${batches}/pending/receipts/${world.other}`),
    writeOnly("statements", `/v1/contracts/${world.contract}/statements?month=2026-01`),
    writeOnly("a forecast", `/v1/contracts/${world.contract}/forecast`),
    unregistered("a contract that is not registered", {
      path: `/v1/contracts/${world.unregistered}/batches`,
    }),
    unregistered("a submit for an unregistered contract", {
      path: `/v1/contracts/${world.unregistered}/batches`,
      body: batchBody(),
    }),
    missingScope("a submit with a read-only token", { token: world.tokens.read, body: batchBody() }),
    missingScope("a PUT with a read-only token", {
      token: world.tokens.read,
      method: "PUT",
      path: `${batches}/new`,
      body: batchBody(),
    }),
    missingScope("a cancel with a read-only token", {
      token: world.tokens.read,
      method: "DELETE",
      path: `${batches}/pending`,
    }),
    missingScope("a reversal with a token that may only submit", {
      token: world.tokens.write,
      path: `${batches}/pending/reversal`,
      body: "{}",
    }),
    missingScope("a list with a write-only token", { token: world.tokens.write }),
    writeOnly("a batch", `${batches}/pending`),
  ];
}

/** Every bad request. None may get a 5xx or store anything. */
export function badRequests(world: BadInputWorld): BadRequest[] {
  const rows = [badRows, badFields, badJson, badBodies, badQueries, badPaths, badTokens, badSignIns];
  return rows.flatMap((make) => make(world)).map((row) => toRequest(world, row));
}
