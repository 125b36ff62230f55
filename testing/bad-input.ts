import { gzipSync } from "node:zlib";
import type { Database } from "@/db/client";
import { createAccessToken, TOKEN_SCOPES, type TokenScope } from "@/server/auth/tokens";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { listBatches } from "@/server/batches/list/list-batches";
import { type FieldCode, PROBLEMS, type ProblemCode } from "@/terms/problems";
import { batchOf, newContract, submit, testContext, wallet } from "./factories";
import type { SentRequest } from "./rest-request";

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

export const RECIPIENT = `0x${"1".repeat(40)}`;
const CONTRACT_ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OTHER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const UNFUNDED = "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb";
const UNREGISTERED = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/** A valid body with some fields replaced; `undefined` omits a field. */
export function batchBody(change: Record<string, unknown> = {}): string {
  return JSON.stringify({
    pointType: "PHASE2_POINTS",
    transfers: [{ toAddress: RECIPIENT, points: "10.5" }],
    ...change,
  });
}

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
  const token = (contractAddress: string, scopes: TokenScope[], expiresAt: string | null = null) =>
    createAccessToken(testContext(db, "ops"), { contractAddress, name: "test", scopes, expiresAt });
  const cursor = async (query: object) =>
    (await listBatches(testContext(db), { contractAddress: CONTRACT_ADDRESS, limit: 1, ...query })).cursor!;
  const both: TokenScope[] = ["batches:read", "batches:write"];
  const revoked = await token(CONTRACT_ADDRESS, both);
  await db.sql`update access_tokens set revoked_at = now() where id = ${revoked.id}`;
  return {
    contract: CONTRACT_ADDRESS,
    other: OTHER,
    unfunded: UNFUNDED,
    unregistered: UNREGISTERED,
    tokens: {
      own: (await token(CONTRACT_ADDRESS, [...TOKEN_SCOPES])).token,
      read: (await token(CONTRACT_ADDRESS, ["batches:read"])).token,
      write: (await token(CONTRACT_ADDRESS, ["batches:write"])).token,
      other: (await token(OTHER, both)).token,
      unfunded: (await token(UNFUNDED, both)).token,
      expired: (await token(CONTRACT_ADDRESS, both, "2026-01-01T00:00:00Z")).token,
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

/** A request that must be refused, as sent over the wire. */
export interface BadRequest extends SentRequest {
  name: string;
  code: ProblemCode;
  /** A code that `errors` must contain. */
  field?: FieldCode;
}

interface Given {
  /** Several chunks are sent without Content-Length. */
  body?: string | Uint8Array | Uint8Array[];
  /** The contract's own token when absent. */
  token?: string | null;
  headers?: [name: string, value: string][];
}
/** `METHOD path`, where `~` is the contract's path; the path is sent as is. */
type Row = string | [target: string, given: Given];

/** A POST of a batch. */
const post = (body: Given["body"], given: Given = {}): Row => ["POST ~/batches", { body, ...given }];
const batch = (change: Record<string, unknown>): Row => post(batchBody(change));
const rows = (...transfers: [to: unknown, points: unknown][]): Row =>
  batch({ transfers: transfers.map(([toAddress, points]) => ({ toAddress, points })) });
const to = (toAddress: unknown) => rows([toAddress, "1"]);
const amount = (points: unknown) => rows([RECIPIENT, points]);
const reference = (...references: unknown[]) =>
  batch({
    transfers: references.map((reference, at) => ({ toAddress: wallet(at + 1), points: "1", reference })),
  });
const metadata = (...values: unknown[]) => values.map((value) => batch({ metadata: value }));
const get = (...queries: string[]): Row[] => queries.map((query) => `GET ~/${query}`);
const list = (...queries: string[]): Row[] => get(...queries.map((query) => `batches?${query}`));
const json = (target: string, body: unknown, given: Given = {}): Row => [
  target,
  { body: JSON.stringify(body), ...given },
];
const snapshot = (change: object): Row => json("POST ~/snapshots", { pointType: "PHASE2_POINTS", ...change });
const UUID = "7d9f1c1e-6f5e-4c57-9f0a-2b1d3c4e5f60";
const header = (name: string, value: string): Given => ({ headers: [[name, value]] });

const MEBIBYTE = 1_048_576;
const ROW = `{"toAddress":"${RECIPIENT}","points":"1"}`;
/** A JSON text with some bytes in a string. */
const quoting = (...bytes: number[]) =>
  Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
const SEALED = `${Buffer.from("{}").toString("base64url")}.${"A".repeat(43)}`;
const SIGNATURE = `0x${"5d41".repeat(32)}1b`;

/** What a body of a batch is refused for, by code. */
function badBatches({ contract }: BadInputWorld): Record<string, Row[]> {
  const lower = contract.toLowerCase();
  const upper = `0x${lower.slice(2).toUpperCase()}`;
  const also = (member: string) => post(`${batchBody().slice(0, -1)},${member}}`);
  const many = Array.from({ length: 2001 }, (_, i) => ({ toAddress: wallet(i + 1), points: "1" }));
  const deep = (open: string, inner: string, close: string) => open.repeat(1e5) + inner + close.repeat(1e5);
  const points = (transfers: string) => post(`{"pointType":"PHASE2_POINTS","transfers":${transfers}}`);
  return {
    validation_failed: ["phase2_points", undefined, null, "constructor", 1, ["PHASE2_POINTS"]].map(
      (pointType) => batch({ pointType }),
    ),
    out_of_range: [
      ...[-1, 0, 3599, 86_401, 2 ** 53].map((secondsToFinalize) => batch({ secondsToFinalize })),
      ...[[], many].map((transfers) => batch({ transfers })),
      ...metadata(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [at, "x"]))),
    ],
    required: [batch({ transfers: undefined }), batch({ transfers: [{}] })],
    invalid_type: [
      ...[3600.5, "3600", true, [], {}].map((secondsToFinalize) => batch({ secondsToFinalize })),
      ...[null, {}, "[]", 1, [null], [[]], ["0x"]].map((transfers) => batch({ transfers })),
      ...[1, null, {}].flatMap((value) => [to(value), amount(value)]),
      reference(7),
      ...[null, 1, {}, ["a"]].map((payoutId) => batch({ payoutId })),
      ...metadata([], "a", 1, { a: 1 }, { a: null }, { a: { b: "c" } }, { constructor: {} }),
      ...[points(deep("[", "", "]")), points(deep('{"a":', "1", "}"))],
      points(`[{"toAddress":"${RECIPIENT}","points":1e400}]`),
    ],
    invalid_batch_id: ["", ".", "a b", "x".repeat(65), "\u0000", "\ud800"].map((payoutId) =>
      batch({ payoutId }),
    ),
    unknown_field: [
      ...["foo", "batchId", "PointType", "__proto__", "toString", "", "\ud800", "a\n", "x".repeat(5000)].map(
        (key) => also(`${JSON.stringify(key)}:1`),
      ),
      also('"__proto__":{"pointType":"PHASE2_GOLD"}'),
      points(`[${ROW.replace("}", ',"__proto__":{"points":"5"}}')}]`),
      points('[{"toaddress":"0x","points":"1"}]'),
      json("PUT ~/batches/new", { batchId: "new" }),
      also('"Idempotency-Key":"k"'),
    ],
    invalid_value: [
      ...[" ", "x".repeat(256), "\u00e9"].map((key) => post(batchBody(), header("Idempotency-Key", key))),
      ...metadata(
        ...["", "x".repeat(201), "\n", "\u0000", "\u0085", "\ud800"].map((a) => ({ a })),
        ...["", "x".repeat(41), "a b", "a=b", "\u00e9", "[a]", "\ud800"].map((key) => ({ [key]: "x" })),
      ),
      also('"metadata":{"__proto__":"x"}'),
      ...["", " x", "x".repeat(65), "\u0000", "\ud800", "\u00e9"].map((name) => reference(name)),
    ],
    duplicate_reference: [reference("x", "x")],
    invalid_points: ["1e3", "-1", "1,000", "", " 1", "1".repeat(100_000), `1${"0".repeat(26)}`].map(amount),
    points_below_minimum: [
      ...["0", "0.009999999999"].map(amount),
      batch({ pointType: "PHASE2_GOLD", transfers: [{ toAddress: RECIPIENT, points: "0.0000009" }] }),
    ],
    invalid_address: ["0x", "vitalik.eth", `${RECIPIENT}1`, ` ${RECIPIENT}`, "", "a".repeat(100_000)].map(to),
    invalid_checksum: ["0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", `0x${"aA".repeat(20)}`].map(to),
    duplicate_destination: [rows([lower, "1"], [RECIPIENT, "1"], [upper, "2"])],
    destination_is_contract: [contract, lower, upper].map(to),
    destination_is_zero: [to(wallet(0))],
    invalid_json: [
      ...["", " ", "{", "}", "{}x", "{}{}", "{'pointType':1}", '{"pointType":1,}', "undefined", "NaN"],
      ...['{"secondsToFinalize":01}', '{"a":"\t"}', '{"a":"\\u12"}', "\u0000{}", "<xml/>", "/* */ {}"],
      ...[`\ufeff\ufeff${batchBody()}`, `${batchBody()}\ufeff`, "null", "1", '"text"', `[${ROW}]`],
      `{"pointType":"PHASE2_GOLD","pointType":"PHASE2_POINTS","transfers":[${ROW}]}`,
      `{"pointType":"PHASE2_POINTS","transfers":[${ROW}],"metadata":{"a":"x","a":"x"}}`,
      `{"pointType":"PHASE2_POINTS","transfers":[${ROW}],"point\\u0054ype":"PHASE2_POINTS"}`,
      `{"pointType":"PHASE2_POINTS","transfers":[${ROW.replace("}", ',"points":"1"}')}]}`,
      ...[deep("[", "", "]"), quoting(0x80), quoting(0xc0, 0xaf), quoting(0xe2, 0x82)],
      ...[quoting(0xed, 0xa0, 0x80), Buffer.from(batchBody(), "utf16le")],
    ].map((body) => post([Buffer.from(body as string)])),
  };
}

/** What paths, queries and states are refused for, by code. */
function badTargets({ contract, unfunded, tokens, cursors }: BadInputWorld): Record<string, Row[]> {
  const { plain, ascending, pending } = cursors;
  return {
    invalid_address: ["0x", "%00", "{contractAddress}", `0x${"1".repeat(38)}%2F1`].flatMap((address) => [
      `GET /v1/contracts/${address}/batches`,
      `GET /v1/allocations/${UUID}/claims/${address}`,
    ]),
    invalid_batch_id: ["%20", "a%2Fb", "%00", "%C3%A9", "a;b=c", "'%20or%201=1--", "x".repeat(65)].flatMap(
      (id) =>
        ["GET ~/batches/", "DELETE ~/batches/", "GET ~/payouts/", "DELETE ~/payouts/"].map(
          (path) => path + id,
        ),
    ),
    validation_failed: [
      ...["%E0%A4%A", "%", "%FF"].flatMap((id) => [`GET ~/batches/${id}`, `GET /v1/contracts/${id}/batches`]),
      ...["0", "201", "1e2", "5.5", "%2B5", "abc", "", "1,2"].flatMap((limit) => list(`limit=${limit}`)),
      ...["yes", "1", "", "true&dryRun=true"].map((value) =>
        json(`POST ~/batches?dryRun=${value}`, JSON.parse(batchBody())),
      ),
      ["DELETE ~/batches/pending", { body: '{"reason":"x"}' }],
      ["DELETE ~/batches/pending", { body: "{" }],
      ["DELETE ~/payouts/unknown", { body: '{"reason":"x"}' }],
    ],
    invalid_value: [
      ...list("sort=asc", "sort=", "status=pending", "status=PENDING,FINALIZED", "pointType=PHASE2"),
      ...list("createdAfter=", "createdBefore=", "cursor=", "limit="),
      ...list("status=PENDING&status=PENDING", "limit=1&limit=2", `cursor=${plain}&cursor=${plain}`),
      ...list("metadata[a]=", "metadata[]=x", "metadata[a][b]=x", "metadata[a%20b]=x", "metadata[a]=%00"),
      ...list("metadata[__proto__]=x", "metadata[a]=x&metadata[a]=x", "include=transfers", "include="),
      ...get("transfers?reference=", "transfers?reference=%00", "transfers?reference=x&reference=x"),
      ...get("statements?month=2026-13", "statements?month=2026-01&month=2026-02"),
      ...get("holders", "holders?pointType=POINTS", "holders?pointType=PHASE2_POINTS&snapshotId=1"),
      snapshot({ pointType: undefined }),
      ...["1", "%00", `${UUID}x`].map((id) => `GET /v1/allocations/${id}/claims/${RECIPIENT}`),
    ],
    out_of_range: [
      ...get("statements?month=9999-12"),
      ...["2999-01-01", "2000-01-01", "1969-12-31"].map((asOf) => snapshot({ asOf })),
      ...["", " ", "x".repeat(81)].map((name) => snapshot({ name })),
      ...[6, 21].flatMap((length) => list(Array.from({ length }, (_, at) => `metadata[${at}]=x`).join("&"))),
    ],
    required: get("statements", "transfers"),
    invalid_type: [snapshot({ includeContracts: "yes" }), snapshot({ name: 1 })],
    snapshot_not_found: get(
      "holders?pointType=PHASE2_POINTS",
      `holders?pointType=PHASE2_POINTS&snapshotId=${UUID}`,
    ),
    invalid_timestamp: ["now", "2026-13-01", "2025-02-29", "1790000000", "2026-01-31%00"].flatMap((at) =>
      list(`createdAfter=${at}`, `createdBefore=${at}`),
    ),
    unknown_field: [
      ...list("metadata=a", "metadata.a=x", "metadata[a=x", "[a]=x", "status[a]=PENDING", "status[]=PENDING"),
      json("POST ~/batches?metadata[a]=x", JSON.parse(batchBody())),
      ...list("x=1", "foo", "x[]=1", "Status=PENDING", "%00=1", "=1", "%E0%A4%A=1", `${"x".repeat(5000)}=1`),
      ...list(`contractAddress=${contract}`, "dryRun=true", "idPrefix=a"),
      ...get("batches/pending?fields=id", "batches/pending/root?position=0"),
      "DELETE ~/batches/pending?force=true",
      "DELETE ~/payouts/unknown?force=true",
      "GET ~/payouts/unknown?limit=1",
      json("POST ~/batches?limit=1", {}),
      snapshot({ contractAddress: contract }),
    ],
    invalid_cursor: list(
      ...["x", "MQ==", "%00", "1.1.1.1", "1".repeat(5000), "%E0%A4%A", `${plain}0`, `${plain}%20`].map(
        (cursor) => `cursor=${cursor}`,
      ),
    ),
    cursor_mismatch: list(
      ...[cursors.other, ascending, pending, `${plain}&status=PENDING`, `${plain}&metadata[a]=x`].map(
        (cursor) => `cursor=${cursor}`,
      ),
    ),
    not_found: [
      ...["/v1", "/v1/", "/v1/nothing", "/v1/contracts", `/v1/contracts/${contract}`, "/v1/openapi.json/"],
      ...["~/BATCHES", "~/batches/", "~/batches/a/b", "~/batches/pending/receipts/", "~/statements/2026-01"],
      ...["~/point-balances/PHASE2_GOLD", "/v1/batches.submit", "/v1/contracts//batches"],
    ].map((path) => `GET ${path}`),
    method_not_allowed: [
      ...[
        "PATCH ~/batches",
        "PUT ~/batches",
        "POST ~/batches/pending",
        "DELETE ~/point-balances",
        "PUT ~/payouts/x",
      ],
      ...["POST ~/statements", "POST ~/transfers", "POST /v1/openapi.json", "GET /v1/dapp-auth/challenge"],
    ],
    allocation_not_found: [`GET /v1/allocations/${UUID}/claims/${RECIPIENT}`],
    batch_not_found: [
      ...get("batches/...", "batches/unknown", "batches/PENDING", "batches/unknown/root"),
      "DELETE ~/batches/unknown",
    ],
    payout_not_found: ["GET ~/payouts/unknown", "DELETE ~/payouts/pending"],
    batch_not_finalized: get("batches/pending/root", `batches/cancelled/receipts/${RECIPIENT}`),
    not_cancellable: ["DELETE ~/batches/cancelled"],
    batch_id_conflict: [["PUT ~/batches/pending", { body: batchBody({ secondsToFinalize: 3601 }) }]],
    insufficient_points: [
      [`POST /v1/contracts/${unfunded}/batches`, { token: tokens.unfunded, body: batchBody() }],
    ],
  };
}

/**
 * Bodies that are too large or have the wrong media type, and callers that prove nothing, by code.
 * `covers-document.ts` sends every operation the tokens that may not call it.
 */
function badCallers({ contract, other, unregistered, tokens }: BadInputWorld): Record<string, Row[]> {
  const large = Buffer.alloc(MEBIBYTE + 1, " ");
  large.write(batchBody());
  const zipped = (encoding: string, size = batchBody().length) =>
    post(gzipSync(Buffer.alloc(size, batchBody())), header("Content-Encoding", encoding));
  const signIn = (path: string, body: object): Row =>
    json(`POST /v1/dapp-auth/${path}`, body, { token: null });
  const both = { contractAddress: contract, operatorAddress: other };
  const solve = (challengeData: unknown, signature: unknown = SIGNATURE) =>
    signIn("solve", { challengeData, signature });
  return {
    unsupported_media_type: [
      ...["text/plain", "application/problem+json", "*/*", "", "application/json; charset=latin1"],
      ...["application/json, text/plain", "multipart/form-data; boundary=x"],
    ]
      .map((type): Row => post(batchBody(), header("Content-Type", type)))
      .concat(
        ["gzip", "br", "gzip, identity", "GZIP"].map((encoding) => zipped(encoding)),
        [zipped("gzip", 50_000_000), "POST ~/batches", ["POST /v1/dapp-auth/solve", { token: null }]],
      ),
    body_too_large: [
      post(large),
      post([large.subarray(0, MEBIBYTE), large.subarray(MEBIBYTE)]),
      ["PUT ~/batches/new", { body: large }],
      ...["challenge", "solve"].map((path) => signIn(path, { ...both, more: " ".repeat(16_385) })),
    ],
    missing_token: [
      ["POST /v1/contracts/x/batches?y=1", { token: null, body: "{" }],
      [`GET ~/batches?access_token=${tokens.own}`, { token: null }],
    ],
    invalid_token: [
      ...["Bearer", "Basic dXNlcjpwYXNz", tokens.own, `Bearer ${tokens.own}x`, `Bearer "${tokens.own}"`],
      ...[`Bearer ${tokens.own}, Bearer ${tokens.own}`, `Bearer ${"x".repeat(4000)}`, "Bearer ' or 1=1 --"],
    ].map((value): Row => ["GET ~/batches", header("Authorization", value)]),
    wrong_contract: [json(`POST /v1/contracts/${other}/batches/pending/reversal`, {})],
    contract_not_found: [signIn("challenge", { ...both, contractAddress: unregistered })],
    validation_failed: [
      ...[undefined, "0x", 1, "vitalik.eth"].map((operatorAddress) =>
        signIn("challenge", { ...both, operatorAddress }),
      ),
      signIn("challenge", { ...both, chainId: 1 }),
      ...["", "0x5", "5d4", 1, null, `0x${"00".repeat(4097)}`].map((signature) => solve(SEALED, signature)),
      ...["", 7, "x".repeat(2049)].map((challengeData) => solve(challengeData)),
    ],
    challenge_expired: ["x", ".", SEALED, `${SEALED}.x`].map((challengeData) => solve(challengeData)),
  };
}

/** What most servers change before a handler runs: paths, bodies of GET, repeated headers. */
const badForms = ({ tokens }: BadInputWorld): Record<string, Row[]> => ({
  validation_failed: [
    ["GET ~/batches/pending", { body: Buffer.alloc(MEBIBYTE + 1, " ") }],
    ["GET ~/batches/pending", { body: '{"a":1}' }],
    ["GET ~/batches", { body: "text" }],
  ],
  invalid_batch_id: [".", "..", "%2e", "%2E%2e"].map((id) => `GET ~/batches/${id}`),
  unknown_field: list("__proto__=1"),
  invalid_value: [
    post(batchBody(), { headers: ["k", "k"].map((key) => ["Idempotency-Key", key]) }),
    post(batchBody(), { headers: ["k", "other"].map((key) => ["idempotency-key", key]) }),
  ],
  not_found: ["GET /v1/../v1/nothing", "GET /v1/contracts/../../etc/passwd"],
  method_not_allowed: ["PROPFIND ~/batches"],
  invalid_token: [
    [
      "GET ~/batches",
      { headers: [tokens.own, tokens.other].map((token) => ["Authorization", `Bearer ${token}`]) },
    ],
  ],
});

function toRequest(world: BadInputWorld, reason: string, row: Row): BadRequest {
  const [target, given] = typeof row === "string" ? [row, {}] : row;
  const [method = "", ...path] = target.replace("~", `/v1/contracts/${world.contract}`).split(" ");
  const { body = [], token = world.tokens.own } = given;
  const chunks = Array.isArray(body) ? body : [typeof body === "string" ? Buffer.from(body) : body];
  const has = (name: string) => given.headers?.some(([one]) => one === name);
  const headers = [...(given.headers ?? [])];
  if (token !== null && !has("Authorization")) headers.push(["Authorization", `Bearer ${token}`]);
  if (chunks.length > 0 && !has("Content-Type")) headers.push(["Content-Type", "application/json"]);
  const isField = !(reason in PROBLEMS);
  return {
    name: `${reason}: ${target.slice(0, 150)} ${Buffer.concat(chunks).subarray(0, 150)}`,
    method,
    path: path.join(" "),
    // An empty value means that the header is not sent.
    headers: headers.filter(([, value]) => value !== ""),
    body: chunks,
    code: isField ? "validation_failed" : (reason as ProblemCode),
    ...(isField && { field: reason as FieldCode }),
  };
}

/** Every bad request. None may get a 5xx or store anything. */
export const badRequests = (world: BadInputWorld): BadRequest[] =>
  [badBatches, badTargets, badCallers, badForms].flatMap((make) =>
    Object.entries(make(world)).flatMap(([reason, sent]) => sent.map((row) => toRequest(world, reason, row))),
  );
