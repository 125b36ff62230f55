import { describe, expect, test } from "vitest";
import { makeToken, tokenKind } from "./tokens";

describe("a token", () => {
  test.each([
    ["access", /^ptb_[0-9A-Za-z]{36}$/],
    ["operator", /^pto_[0-9A-Za-z]{36}$/],
  ] as const)("for %s is well-formed, has a checksum and is unique", (kind, form) => {
    const tokens = Array.from({ length: 2000 }, () => makeToken(kind));
    for (const token of tokens) {
      expect(token).toMatch(form);
      expect(tokenKind(token)).toBe(kind);
    }
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test("with a changed character or two swapped neighbors fails its checksum", () => {
    const token = makeToken("access");
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "a" ? "b" : "a";
      expect(tokenKind(token.slice(0, at) + other + token.slice(at + 1)), `changed at ${at}`).toBeNull();
      if (at > 0 && token[at] !== token[at - 1]) {
        const swapped = token.slice(0, at - 1) + token[at] + token[at - 1] + token.slice(at + 1);
        expect(tokenKind(swapped), `swapped at ${at}`).toBeNull();
      }
    }
  });

  test("created by an earlier version is still valid", () => {
    expect(tokenKind(["ptb", "ATjscdnHxImgPmQPiunVIi2z5KDa3zzvzH30"].join("_"))).toBe("access");
    expect(tokenKind(["pto", "m9Yvit8qJEWOuiuUP04yDpbaoNaJvVuEKGb2"].join("_"))).toBe("operator");
  });

  test("does not become the other kind with a changed prefix", () => {
    expect(tokenKind(makeToken("access").replace("ptb_", "pto_"))).toBeNull();
    expect(tokenKind(makeToken("operator").replace("pto_", "ptb_"))).toBeNull();
  });
});
