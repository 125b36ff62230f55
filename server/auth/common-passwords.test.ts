import { describe, expect, test } from "vitest";
import { isCommonPassword } from "./passwords";

const EMAIL = "rosalind.franklin@example.com";

describe.each([
  ["on the list", "unbelievable"],
  ["on the list, in capitals", "QwertyUIOP[]"],
  ["with digits and a symbol appended", "password123!"],
  ["with digits appended", "Administrator2024"],
  ["repeated", "passwordpassword"],
  ["of one character", "aaaaaaaaaaaaaa"],
  ["of two characters, repeated", "abababababababab"],
  ["with full-width letters", "ｐａｓｓｗｏｒｄ１２３４"],
  ["the person's email", EMAIL.toUpperCase()],
  ["the person's name, with a year", "rosalind.franklin2024"],
])("a password that is %s", (_what, password) => {
  test("is refused", () => expect(isCommonPassword(password, EMAIL)).toBe(true));
});

test.each(["correct horse battery", "kXq3-vRt9-mLw2", "the river 1984 freezes", "a1b2c3d4e5f6g7h8z"])(
  "a password that is not is accepted: %s",
  (password) => expect(isCommonPassword(password, EMAIL)).toBe(false),
);
