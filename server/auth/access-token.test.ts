import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hashToken, isAccessToken, makeAccessToken } from "./access-token";

describe("an access token", () => {
  test("has its form, its checksum, and is never made twice", () => {
    const tokens = Array.from({ length: 2000 }, makeAccessToken);
    for (const token of tokens) {
      expect(token).toMatch(/^ptb_[0-9A-Za-z]{36}$/);
      expect(isAccessToken(token)).toBe(true);
    }
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test("uses the whole alphabet", () => {
    const seen = new Set(Array.from({ length: 200 }, () => makeAccessToken().slice(4, 34)).join(""));
    expect(seen.size).toBe(62);
  });

  test("with one character changed, or two neighbours swapped, is told by its checksum", () => {
    const token = makeAccessToken();
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "a" ? "b" : "a";
      expect(isAccessToken(token.slice(0, at) + other + token.slice(at + 1)), `changed at ${at}`).toBe(false);
      if (at > 0 && token[at] !== token[at - 1]) {
        const swapped = token.slice(0, at - 1) + token[at] + token[at - 1] + token.slice(at + 1);
        expect(isAccessToken(swapped), `swapped at ${at}`).toBe(false);
      }
    }
  });

  test.each([
    "",
    "ptb_",
    "ptb_nonsense",
    `PTB_${"0".repeat(36)}`,
    `ptb_${"0".repeat(36)}`,
    `ptb_${"-".repeat(36)}`,
  ])("%j is none", (text) => expect(isAccessToken(text)).toBe(false));

  test("is none with anything around it", () => {
    const token = makeAccessToken();
    for (const text of [` ${token}`, `${token} `, `${token}\n`, `${token}0`, token.toUpperCase()]) {
      expect(isAccessToken(text)).toBe(false);
    }
  });

  test("is stored as its SHA-256", () => {
    expect(hashToken("abc").toString("hex")).toBe(createHash("sha256").update("abc").digest("hex"));
    expect(hashToken("abc")).toHaveLength(32);
  });
});
