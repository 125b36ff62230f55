import { afterEach, describe, expect, test, vi } from "vitest";
import { forgetSingles } from "@/testing/forget-singles";
import { isForeignOrigin, isSameOrigin } from "./same-origin";

const knownAs = (url: string) => {
  vi.stubEnv("PUBLIC_URL", url);
  forgetSingles();
};
afterEach(() => {
  vi.unstubAllEnvs();
  forgetSingles();
});

const HOST = { host: "console.example:3000" };
const request = (headers: Record<string, string>) =>
  new Request("http://service.test/api", { headers: { ...HOST, ...headers } });
const judged = (headers: Record<string, string>) => {
  const sent = request(headers);
  return { own: isSameOrigin(sent), foreign: isForeignOrigin(sent) };
};

describe("a request with an Origin", () => {
  test.each([
    ["http://console.example:3000", true],
    ["https://console.example:3000", true],
    ["http://console.example", false],
    ["http://console.example:3000.evil.example", false],
    ["http://evil.example:3000", false],
    ["null", false],
    ["console.example:3000", false],
    ["", false],
  ])("from %j is from this console: %s", (origin, own) => {
    // An empty Origin counts as absent, so the request is not reported as foreign.
    expect(judged({ origin })).toEqual({ own, foreign: origin !== "" && !own });
  });

  test("is compared with the host that a proxy forwards", () => {
    const origin = "https://points.example.com";
    expect(judged({ origin, "x-forwarded-host": "points.example.com" })).toEqual({
      own: true,
      foreign: false,
    });
    const behind = { origin: "http://console.example:3000", "x-forwarded-host": "points.example.com" };
    expect(judged(behind)).toEqual({ own: false, foreign: true });
  });

  test("is also compared with the public URL, including scheme and port", () => {
    knownAs("https://points.example.com/console");
    expect(judged({ origin: "https://points.example.com" })).toEqual({ own: true, foreign: false });
    expect(judged({ origin: "http://points.example.com" })).toEqual({ own: false, foreign: true });
    expect(judged({ origin: "https://points.example.com:8443" })).toEqual({ own: false, foreign: true });
    expect(judged({ origin: "http://console.example:3000" })).toEqual({ own: true, foreign: false });
  });

  test("takes precedence over Sec-Fetch-Site", () => {
    const origin = "http://evil.example";
    expect(judged({ origin, "sec-fetch-site": "same-origin" })).toEqual({ own: false, foreign: true });
    const own = { origin: "http://console.example:3000", "sec-fetch-site": "cross-site" };
    expect(judged(own)).toEqual({ own: true, foreign: false });
  });
});

describe("a request without an Origin", () => {
  test.each([
    ["same-origin", true, false],
    ["same-site", false, true],
    ["cross-site", false, true],
    ["none", false, false],
  ])("with Sec-Fetch-Site %j: own %s, foreign %s", (site, own, foreign) => {
    expect(judged({ "sec-fetch-site": site })).toEqual({ own, foreign });
  });

  test("from a non-browser client is neither from this console nor foreign", () => {
    expect(judged({})).toEqual({ own: false, foreign: false });
  });
});
