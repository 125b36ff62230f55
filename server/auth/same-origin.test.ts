import { afterEach, expect, test, vi } from "vitest";
import { forgetSingles } from "@/testing/forget-singles";
import { isForeignOrigin, isSameOrigin } from "./same-origin";

afterEach(() => {
  vi.unstubAllEnvs();
  forgetSingles();
});

const HERE = "http://console.example:3000";
const PUBLIC = "https://points.example.com";
const judged = (headers: Record<string, string>) => {
  const sent = new Request("http://service.test/api", {
    headers: { host: "console.example:3000", ...headers },
  });
  return { own: isSameOrigin(sent), foreign: isForeignOrigin(sent) };
};
const OWN = { own: true, foreign: false };
const FOREIGN = { own: false, foreign: true };
const NEITHER = { own: false, foreign: false };

test.each([
  [{ origin: HERE }, OWN],
  [{ origin: "https://console.example:3000" }, OWN],
  [{ origin: "http://console.example" }, FOREIGN],
  [{ origin: "http://console.example:3000.evil.example" }, FOREIGN],
  [{ origin: "http://evil.example:3000" }, FOREIGN],
  [{ origin: "null" }, FOREIGN],
  [{ origin: "console.example:3000" }, FOREIGN],
  // Counts as absent.
  [{ origin: "" }, NEITHER],
  // The host that a proxy forwards.
  [{ origin: PUBLIC, "x-forwarded-host": "points.example.com" }, OWN],
  [{ origin: HERE, "x-forwarded-host": "points.example.com" }, FOREIGN],
  // An Origin takes precedence.
  [{ origin: "http://evil.example", "sec-fetch-site": "same-origin" }, FOREIGN],
  [{ origin: HERE, "sec-fetch-site": "cross-site" }, OWN],
  [{ "sec-fetch-site": "same-origin" }, OWN],
  [{ "sec-fetch-site": "same-site" }, FOREIGN],
  [{ "sec-fetch-site": "cross-site" }, FOREIGN],
  [{ "sec-fetch-site": "none" }, NEITHER],
  [{}, NEITHER],
] as [Record<string, string>, typeof OWN][])("a request with %j: %j", (headers, expected) => {
  expect(judged(headers)).toEqual(expected);
});

test.each([
  [PUBLIC, OWN],
  ["http://points.example.com", FOREIGN],
  [`${PUBLIC}:8443`, FOREIGN],
  [HERE, OWN],
])("with a public URL, an Origin of %s: %j", (origin, expected) => {
  vi.stubEnv("PUBLIC_URL", `${PUBLIC}/console`);
  forgetSingles();
  expect(judged({ origin })).toEqual(expected);
});
