import { type BadInputWorld, type BadRow, batchBody, RECIPIENT, refused } from "./bad-request";

const ROW = `{"toAddress":"${RECIPIENT}","points":"1"}`;

const NOT_JSON = [
  "",
  " ",
  "\n",
  "{",
  "}",
  "{}x",
  "{}{}",
  "{'pointType':1}",
  '{"pointType":1,}',
  "{pointType:1}",
  "/* */ {}",
  "undefined",
  "NaN",
  '{"secondsToFinalize":NaN}',
  '{"secondsToFinalize":Infinity}',
  '{"secondsToFinalize":0x10}',
  '{"secondsToFinalize":01}',
  '{"secondsToFinalize":.5}',
  '{"a":"\t"}',
  '{"a":"\\x41"}',
  '{"a":"\\u12"}',
  "<xml/>",
  "pointType=PHASE2_POINTS",
  "\u0000{}",
  `{}\u0000`,
  "\ufeff",
  `\ufeff\ufeff${batchBody()}`,
  `${batchBody()}\ufeff`,
];
const NOT_OBJECTS = [
  "null",
  "true",
  "1",
  '"text"',
  "[]",
  `[${ROW}]`,
  "[".repeat(100_000) + "]".repeat(100_000),
  "-0",
  "1e400",
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
export function badJson(_world: BadInputWorld): BadRow[] {
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
