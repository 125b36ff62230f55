import { expect, test } from "vitest";
import { foldSlashes } from "./fold-slashes";

test.each([
  ["//v1//contracts///x", "/v1/contracts/x"],
  ["/v1/", "/v1/"],
  ["/v1//", "/v1/"],
  ["//v1?a=//b&c=?//d", "/v1?a=//b&c=?//d"],
  ["/v1/a%2F%2Fb", "/v1/a%2F%2Fb"],
])("%s is read as %s: the query and encoded slashes stay", (target, folded) => {
  expect(foldSlashes(target)).toBe(folded);
});
