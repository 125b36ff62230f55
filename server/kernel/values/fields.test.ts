import { describe, expect, test } from "vitest";
import { NOT_BATCH_IDS, NOT_TIMES } from "@/testing/bad-input";
import { BatchIdField, parseInstant } from "./fields";

describe("a timestamp", () => {
  test.each([
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.5Z", "2026-01-31T12:00:00.500Z"],
    ["2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T12:00:00+14:00", "2026-01-30T22:00:00.000Z"],
    ["2026-01-31T12:00:00-12:00", "2026-02-01T00:00:00.000Z"],
    ["2026-01-31T12:00:00 02:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T12:00:00 0200", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T12:00:00+0000", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.123456-0730", "2026-01-31T19:30:00.123Z"],
    ["2026-01-31t12:00:00z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31t12:00:00 02:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0000-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["1969-12-31T23:59:59Z", "1970-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is %s", (text, instant) => expect(new Date(parseInstant(text)!).toISOString()).toBe(instant));

  test.each(NOT_TIMES.map(decodeURIComponent))("%j is invalid", (text) =>
    expect(parseInstant(text)).toBeNull(),
  );
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
  const decodable = NOT_BATCH_IDS.filter(([, code]) => code).map(([id]) => decodeURIComponent(id));
  test.each([...decodable, "", `..${"x".repeat(63)}`])("%j is invalid", (text) =>
    expect(BatchIdField.safeParse(text).success).toBe(false),
  );
});
