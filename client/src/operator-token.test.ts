import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "./create-client.ts";
import { operatorToken } from "./operator-token.ts";
import { failureOf, networkError, ok, type Step, scriptedFetch } from "./testing/scripted-fetch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;
const challenge = () => ok({ challengeData: "data", message: "Sign me" });
const solved = (bearerToken: string) => ok({ bearerToken });
const balances = () => ok({ balancesByPointType: {} });

function signedIn(...steps: Step[]) {
  const { fetch, requests } = scriptedFetch(...steps);
  const signMessage = vi.fn((message: string): string | Promise<string> => `signed ${message}`);
  const who = { baseUrl: "http://service", contractAddress: "0xC0", operatorAddress: "0x0b" };
  const token = operatorToken({ ...who, fetch, signMessage });
  const client = createClient({ ...who, token, fetch, retries: 0 });
  return { client, requests, signMessage, who };
}

const sentTo = (requests: { url: string }[]) => requests.map(({ url }) => url.split("/").at(-1));
const tokensOf = (requests: { headers: Headers }[]) =>
  requests.map(({ headers }) => headers.get("Authorization"));

test("concurrent first calls share a sign-in, whose token is renewed five minutes early", async () => {
  const [first, second] = [
    [challenge(), solved("t-1"), balances(), balances(), balances()],
    [challenge(), solved("t-2"), balances()],
  ];
  const { client, requests, signMessage } = signedIn(...first, ...second);
  await Promise.all([client.getBalances(), client.getBalances()]);
  await vi.advanceTimersByTimeAsync(54 * MINUTE_MS);
  await client.getBalances();
  expect(signMessage.mock.calls).toEqual([["Sign me"]]);
  const read = "point-balances";
  expect(sentTo(requests)).toEqual(["challenge", "solve", read, read, read]);
  expect(JSON.parse(requests[0]!.body!)).toEqual({ contractAddress: "0xC0", operatorAddress: "0x0b" });
  expect(JSON.parse(requests[1]!.body!)).toEqual({ challengeData: "data", signature: "signed Sign me" });
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await client.getBalances();
  const [t1, t2] = ["Bearer t-1", "Bearer t-2"];
  expect(tokensOf(requests)).toEqual([null, null, t1, t1, t1, null, null, t2]);
});

test("aborting one call does not abort the others' sign-in", async () => {
  const { client, signMessage } = signedIn(challenge(), solved("t-1"), balances());
  let sign: (signature: string) => void = () => undefined;
  const signing = new Promise<string>((resolve) => {
    sign = resolve;
  });
  signMessage.mockReturnValueOnce(signing);
  const controller = new AbortController();
  const aborted = failureOf(client.getBalances({ signal: controller.signal }));
  const other = client.getBalances();
  await vi.advanceTimersByTimeAsync(1);
  controller.abort(new Error("left"));
  expect(await aborted).toMatchObject({ message: "left" });
  sign("signed");
  expect(await other).toEqual({});
});

test("a challenge is requested again after a lost reply, but a solution is not sent twice", async () => {
  const lost = () => networkError("UND_ERR_SOCKET");
  const { fetch, requests } = scriptedFetch(lost(), challenge(), lost());
  const client = createClient({ baseUrl: "http://service", contractAddress: "0xC0", fetch });
  const failing = failureOf(client.signIn({ operatorAddress: "0x0b", signMessage: () => "0x" }));
  await vi.runAllTimersAsync();
  expect(await failing).toMatchObject({ name: "ConnectionFailure" });
  expect(sentTo(requests)).toEqual(["challenge", "challenge", "solve"]);
});
