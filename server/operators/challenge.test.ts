import { parseSiweMessage } from "viem/siwe";
import { expect, test } from "vitest";
import { type Challenge, challengeMessage, openChallenge, sealChallenge } from "./challenge";

const CHALLENGE: Challenge = {
  seconds: 60,
  contractAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  operatorAddress: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  origin: "https://points.example.com:8443",
  chainId: 81_457,
  nonce: "0123456789abcdef0123456789abcdef",
  issuedAtMs: Date.UTC(2026, 0, 31, 23, 59, 30, 250),
};

test("the message is this ERC-4361 text, as its parsers read it", () => {
  expect(
    challengeMessage(CHALLENGE),
  ).toBe(`points.example.com:8443 wants you to sign in with your Ethereum account:
0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359

Sign in as the operator of the contract 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed. This costs nothing and moves no points.

URI: https://points.example.com:8443
Version: 1
Chain ID: 81457
Nonce: 0123456789abcdef0123456789abcdef
Issued At: 2026-01-31T23:59:30.250Z
Expiration Time: 2026-02-01T00:00:30.250Z`);
  expect(parseSiweMessage(challengeMessage(CHALLENGE))).toMatchObject({
    domain: "points.example.com:8443",
    address: CHALLENGE.operatorAddress,
    uri: CHALLENGE.origin,
    version: "1",
    chainId: CHALLENGE.chainId,
    nonce: CHALLENGE.nonce,
  });
});

test("a challenge keeps its lifetime when the setting changes, and one of 60 seconds is as of a version without the setting", () => {
  const { seconds: _, ...earlier } = CHALLENGE;
  const sealed = sealChallenge(CHALLENGE, "secret");
  expect(JSON.parse(Buffer.from(sealed.split(".")[0]!, "base64url").toString())).toEqual(earlier);
  expect(openChallenge(sealed, "secret")).toEqual(CHALLENGE);
  const hour = openChallenge(sealChallenge({ ...CHALLENGE, seconds: 3600 }, "secret"), "secret")!;
  expect(challengeMessage(hour)).toMatch(/\nExpiration Time: 2026-02-01T00:59:30\.250Z$/);
});
