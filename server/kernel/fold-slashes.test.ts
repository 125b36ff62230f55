import { expect, test } from "vitest";
import { foldSlashes } from "./http";

test.each([
  ["//v1//contracts///x", "/v1/contracts/x"],
  ["/v1/", "/v1/"],
  ["/v1//", "/v1/"],
  ["//v1?a=//b&c=?//d", "/v1?a=//b&c=?//d"],
  ["/v1/a%2F%2Fb", "/v1/a%2F%2Fb"],
])("%s is read as %s: the query and encoded slashes stay", (target, folded) => {
  expect(foldSlashes(target)).toBe(folded);
});

test.each(["//batches", "/v11//x", "//evil.example/v1//x", "/api//v1//x"])(
  "%s is not below /v1, and stays as it is",
  (target) => {
    expect(foldSlashes(target)).toBe(target);
  },
);
