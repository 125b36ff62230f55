import { expect, test } from "vitest";
import { requestPlaces } from "./places";

const REQUEST = "6f1e2c9a-1b2c-4d3e-8f40-5a6b7c8d9e0f";

test("a request ID leads to what the request changed", () => {
  const [group] = requestPlaces(` ${REQUEST.toUpperCase()}\n`);
  expect(group?.items[0]?.href).toBe(`/access/audit?request=${REQUEST}`);
});

test.each(["", "payout-1", REQUEST.slice(1), `${REQUEST}0`])("%j is no request ID", (text) => {
  expect(requestPlaces(text)).toEqual([]);
});
