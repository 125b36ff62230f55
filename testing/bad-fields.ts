import type { FieldCode } from "@/server/kernel/values/problems";
import { type BadInputWorld, type BadRow, batchBody, invalid, RECIPIENT, short } from "./bad-request";

const NOT_WAITS: [unknown, FieldCode][] = [
  [0, "out_of_range"],
  [-1, "out_of_range"],
  [3599, "out_of_range"],
  [86_401, "out_of_range"],
  [1e308, "out_of_range"],
  [2 ** 53, "out_of_range"],
  [3600.5, "invalid_type"],
  ["3600", "invalid_type"],
  ["", "invalid_type"],
  [true, "invalid_type"],
  [[], "invalid_type"],
  [[3600], "invalid_type"],
  [{}, "invalid_type"],
];
const NOT_TYPES: unknown[] = [
  undefined,
  null,
  "",
  "phase2_points",
  "PHASE2_POINTS ",
  "PHASE2",
  "LIQUIDITY",
  "DEVELOPER",
  1,
  true,
  [],
  {},
  ["PHASE2_POINTS"],
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
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
  "foo",
  "batchId",
  "id",
  "status",
  "points",
  "PointType",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "then",
  "",
  "a/b~c",
  "\ud800",
  "x".repeat(5000),
];

/** Batch fields that are missing, unknown, or have the wrong type or value. */
export function badFields(world: BadInputWorld): BadRow[] {
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
