import { expect, test } from "vitest";
import { BatchIdField, parseInstant } from "./fields";

test("a timestamp has a date or a time with its zone, to the millisecond, from 1970 to 9999", () => {
  for (const [text, instant] of [
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T12:00:00+14:00", "2026-01-30T22:00:00.000Z"],
    ["2026-01-31T12:00:00-12:00", "2026-02-01T00:00:00.000Z"],
    ["2026-01-31T12:00:00 02:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T12:00:00.123456-0730", "2026-01-31T19:30:00.123Z"],
    ["2026-01-31t12:00:00 0200", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31t12:00:00z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0000-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ] as const)
    expect(new Date(parseInstant(text)!).toISOString(), text).toBe(instant);
});

const NOT_TIMES = [
  ..."now 2026 2026-01 2026-13-01 2026-00-01 2026-02-30 2025-02-29 20260131T120000Z 2026-W05-6".split(" "),
  ..."2026-01-31T12:00:60Z 2026-01-31T24:00:00Z 2026-01-31T12:60:00Z 2026-01-31T12:00:00".split(" "),
  ..."1790000000 1790000000000 +010000-01-01T00:00:00Z -000001-01-01T00:00:00Z 2026-031 epoch".split(" "),
  ..."9999-12-31T23:59:59-12:00 2026-01-31T12:00:00+25:00 2026-01-31T12:00:00++02:00 infinity".split(" "),
  ..."2026-01-31T12:00:00+Z 2026-01-31T12:00:00+02 2026-01-31T12:00:00+0200x 31.01.2026".split(" "),
  ...["", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00 Z", "2026-01-31T12:00:00  02:00", "2026-01-31 02:00"],
  ...["2026-01-31\0", "2026-01-31\n", " 2026-01-31", "Sat, 31 Jan 2026 12:00:00 GMT"],
];

test("no other text is a timestamp", () => {
  for (const text of NOT_TIMES) expect(parseInstant(text), text).toBeNull();
});

test("a batch ID has 1 to 64 letters, digits and some signs, and is not a relative path", () => {
  const isValid = (text: string) => BatchIdField.safeParse(text).success;
  const good = ["a", "0", "...", ".a", "..a", "a..", "A-Za-z0-9._:~-", "x".repeat(64), `..${"x".repeat(62)}`];
  const bad = ["", " ", "a b", "a/b", "\0", "é", "😀", "a+b", "a,b", "a;b=c", "a\n", "x".repeat(65)];
  expect([good.filter((id) => !isValid(id)), bad.filter(isValid)]).toEqual([[], []]);
});
