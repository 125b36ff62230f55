import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor";

const SCOPE = "contractAddress=0x11&sort=DESC";
/** The end of the year 9999. */
const CREATED_AT_MS_MAX = 253_402_300_799_999;
const LAST = { atMs: CREATED_AT_MS_MAX, seq: 2n ** 63n - 1n };
const position = fc.record({
  atMs: fc.integer({ min: 0, max: CREATED_AT_MS_MAX }),
  seq: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
});

describe("a cursor", () => {
  test("decodes to the position that was encoded, up to the last of the database, and needs no URL encoding", () => {
    fc.assert(
      fc.property(position, fc.string(), (at, scope) => {
        const cursor = encodeCursor(at, scope);
        expect(decodeCursor(cursor, scope)).toEqual(at);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(cursor.length).toBeLessThanOrEqual(64);
      }),
      { examples: [[LAST, SCOPE]] },
    );
  });

  test("from another scope is a mismatch", () => {
    fc.assert(
      fc.property(position, fc.string(), fc.string(), (at, one, other) => {
        fc.pre(one !== other);
        expect(decodeCursor(encodeCursor(at, one), other)).toBe("mismatch");
      }),
    );
  });

  test("with any character changed, added or removed is invalid", () => {
    const cursor = encodeCursor({ atMs: 1_790_000_000_123, seq: 42n }, SCOPE);
    const ends = ["!", ".", "0", "\n"].map((end) => cursor + end);
    const edits = [...cursor].flatMap((char, at) => [
      cursor.slice(0, at) + (char === "0" ? "1" : "0") + cursor.slice(at + 1),
      cursor.slice(0, at) + cursor.slice(at + 1),
      `${cursor.slice(0, at)}7${cursor.slice(at)}`,
      cursor.slice(0, at) + char.toUpperCase() + cursor.slice(at + 1),
    ]);
    for (const edited of [...ends, ...edits].filter((text) => text !== cursor)) {
      expect(decodeCursor(edited, SCOPE), edited).toBe("invalid");
    }
  });

  test("that nobody encoded is invalid", () => {
    for (const text of [
      "",
      "x",
      "MQ==",
      "\0",
      "a.b.c.d",
      "1.1.1.1",
      "1".repeat(5000),
      "11.1.1.1\n",
      '{"a":1}',
    ])
      expect(decodeCursor(text, SCOPE), text).toBe("invalid");
  });

  test("beyond the database's range is invalid, even with a correct checksum", () => {
    expect(decodeCursor(encodeCursor({ atMs: 1, seq: 2n ** 63n }, SCOPE), SCOPE)).toBe("invalid");
    expect(decodeCursor(encodeCursor({ atMs: CREATED_AT_MS_MAX + 1, seq: 1n }, SCOPE), SCOPE)).toBe(
      "invalid",
    );
  });
});
