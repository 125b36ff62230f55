import type { FieldCode } from "@/server/kernel/values/problems";
import { type BadInputWorld, type BadRow, batchBody, invalid, refused } from "./bad-request";

const CONTRACTS: [string, FieldCode | undefined][] = [
  ["0x", "invalid_address"],
  ["vitalik.eth", "invalid_address"],
  [`0x${"1".repeat(39)}`, "invalid_address"],
  [`0x${"1".repeat(41)}`, "invalid_address"],
  [`0X${"1".repeat(40)}`, "invalid_address"],
  ["1".repeat(40), "invalid_address"],
  ["%00", "invalid_address"],
  ["%20", "invalid_address"],
  ["..", "invalid_address"],
  [`0x${"1".repeat(38)}%2F1`, "invalid_address"],
  ["0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "invalid_checksum"],
  ["%E0%A4%A", undefined],
  ["%", undefined],
  ["%zz", undefined],
  ["%FF", undefined],
  ["{contractAddress}", "invalid_address"],
  [":contractAddress", "invalid_address"],
  ["%F0%9F%98%80", "invalid_address"],
];
const BATCH_IDS: [string, FieldCode | undefined][] = [
  [".", "invalid_batch_id"],
  ["..", "invalid_batch_id"],
  ["%2e", "invalid_batch_id"],
  ["%2E%2e", "invalid_batch_id"],
  ["%20", "invalid_batch_id"],
  ["a%20b", "invalid_batch_id"],
  ["a%2Fb", "invalid_batch_id"],
  ["%2F", "invalid_batch_id"],
  ["%00", "invalid_batch_id"],
  ["a%00", "invalid_batch_id"],
  ["x".repeat(65), "invalid_batch_id"],
  ["%C3%A9", "invalid_batch_id"],
  ["%F0%9F%98%80", "invalid_batch_id"],
  ["a+b", "invalid_batch_id"],
  ["a,b", "invalid_batch_id"],
  ["a;b=c", "invalid_batch_id"],
  ["pending%0A", "invalid_batch_id"],
  ["'%20or%201=1--", "invalid_batch_id"],
  ["%E0%A4%A", undefined],
  ["%", undefined],
  ["a%2", undefined],
  ["%FF", undefined],
];

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
export function badPaths(world: BadInputWorld): BadRow[] {
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
    ...BATCH_IDS.map(([id, field]) => invalid(field, `GET of id ${id}`, { path: `${batches}/${id}` })),
    ...BATCH_IDS.map(([id, field]) => invalid(field, `root of id ${id}`, { path: `${batches}/${id}/root` })),
    ...CONTRACTS.map(([address, field]) =>
      invalid(field, `receipt of ${address}`, { path: `${batches}/pending/receipts/${address}` }),
    ),
    ...BATCH_IDS.map(([id, field]) =>
      invalid(field, `PUT of id ${id}`, { method: "PUT", path: `${batches}/${id}`, body: batchBody() }),
    ),
    ...BATCH_IDS.slice(0, 4).map(([id, field]) =>
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
