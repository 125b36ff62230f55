import type { FieldCode } from "@/server/kernel/values/problems";
import { type BadInputWorld, type BadRow, batchBody, invalid, RECIPIENT, short } from "./bad-request";

const AMOUNTS = [
  "1e3",
  "1E3",
  "-0",
  "+1",
  "-1",
  " 1",
  "1 ",
  "\t1",
  "1.",
  ".5",
  ".",
  "",
  "NaN",
  "Infinity",
  "-Infinity",
  "0x10",
  "0b1",
  "1,000",
  "1_000",
  "1 000",
  "1.000,5",
  "１２",
  "٣",
  "00",
  "007",
  "01.5",
  `1${"0".repeat(26)}`,
  `1${"0".repeat(40)}`,
  "0.1234567890123",
  "1\n",
  "\n1",
  "1.5.5",
  "1/2",
  "½",
  "1n",
  "null",
  "1\u0000",
  "\ud800",
  "1".repeat(100_000),
  "$1",
];
const TOO_SMALL = ["0", "0.0", "0.000000000000", "0.009999999999", "0.001"];
const ADDRESSES = [
  "",
  "0x",
  "vitalik.eth",
  `0x${"1".repeat(39)}`,
  `0x${"1".repeat(41)}`,
  `0X${"1".repeat(40)}`,
  "1".repeat(40),
  `0x${"g".repeat(40)}`,
  ` ${RECIPIENT}`,
  `${RECIPIENT} `,
  `${RECIPIENT}\n`,
  `${RECIPIENT}\u0000`,
  `0x${"１".repeat(40)}`,
  `0x${"-1".repeat(20)}`,
  `0x0x${"1".repeat(38)}`,
  "0x".repeat(21),
  "\ud800",
  "a".repeat(100_000),
  "0x1",
  "null",
  "'; drop table batches; --",
  "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS",
  "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
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
const NOT_STRINGS: [unknown, FieldCode][] = [
  [1, "invalid_type"],
  [1.5, "invalid_type"],
  [0, "invalid_type"],
  [true, "invalid_type"],
  [null, "invalid_type"],
  [[], "invalid_type"],
  [{}, "invalid_type"],
  [["1"], "invalid_type"],
  [undefined, "required"],
];

/** Invalid fields and rows of a submitted batch. */
export function badRows(world: BadInputWorld): BadRow[] {
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
    ...AMOUNTS.map((points) =>
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
    ...ADDRESSES.map((to) => invalid("invalid_address", `toAddress ${short(to)}`, { body: row(to, "1") })),
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
