import { describe, expect, test } from "vitest";
import { BatchIdField, parseInstant } from "./fields";

describe("a timestamp", () => {
  test.each([
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.5Z", "2026-01-31T12:00:00.500Z"],
    ["2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T12:00:00+14:00", "2026-01-30T22:00:00.000Z"],
    ["2026-01-31T12:00:00-12:00", "2026-02-01T00:00:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0000-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["1969-12-31T23:59:59Z", "1970-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is %s", (text, instant) => expect(new Date(parseInstant(text)!).toISOString()).toBe(instant));

  test.each([
    "",
    "now",
    "yesterday",
    "2026",
    "2026-01",
    "2026-13-01",
    "2026-02-30",
    "2025-02-29",
    "2026-01-31T12:00:60Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T12:00:00",
    "2026-01-31 12:00:00Z",
    "20260131T120000Z",
    "1790000000",
    "+010000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-12:00",
    "2026-01-31T12:00:00+25:00",
    "2026-01-31T12:00:00+0200x",
    " 2026-01-31",
    "2026-01-31\n",
    "-000001-01-01T00:00:00Z",
    "2026-W05-6",
    "Sat, 31 Jan 2026 12:00:00 GMT",
  ])("%j is invalid", (text) => expect(parseInstant(text)).toBeNull());
});

describe("a batch ID", () => {
  test.each([
    "a",
    "0",
    "...",
    ".a",
    "..a",
    "a..",
    "A-Za-z0-9._:~-",
    "x".repeat(64),
    ".".repeat(64),
    `..${"x".repeat(62)}`,
  ])("%j is valid", (text) => expect(BatchIdField.safeParse(text).success).toBe(true));
  test.each([".", ".."])("%j is invalid, because URLs drop it", (text) => {
    expect(BatchIdField.safeParse(text).error?.issues[0]?.message).toMatch(
      /not just \. or \.\. since URL clients drop those$/,
    );
  });
  test.each([
    "",
    " ",
    `.${"x".repeat(64)}`,
    `..${"x".repeat(63)}`,
    "x".repeat(65),
    "a b",
    "a/b",
    "a\n",
    "a\u0000",
    "é",
    "a%20b",
    "😀",
    "a,b",
  ])("%j is invalid", (text) => expect(BatchIdField.safeParse(text).success).toBe(false));
});
