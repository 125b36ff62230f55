import { expect, test } from "vitest";
import { consoleUrl } from "./same-origin";

const BASE = "https://points.example.com";

test.each([
  ["/batches?status=PENDING#row", `${BASE}/batches?status=PENDING#row`],
  [`${BASE}/contracts`, `${BASE}/contracts`],
  ["https://evil.example/", BASE],
  ["//evil.example/", BASE],
  ["/.//evil.example", BASE],
  ["/\\evil.example", BASE],
  ["https:evil.example", `${BASE}/evil.example`],
  [`${BASE}@evil.example/`, BASE],
  ["javascript:alert(1)", BASE],
  ["http://[", BASE],
  ["https://", BASE],
])("%s leads to %s", (wanted, led) => {
  expect(consoleUrl(wanted, BASE)).toBe(led);
});
