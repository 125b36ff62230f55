import { type BadInputWorld, type BadRow, refused } from "./bad-request";

const SEALED = `${Buffer.from("{}").toString("base64url")}.${"A".repeat(43)}`;
const SIGNATURE = `0x${"5d41".repeat(32)}1b`;

const NOT_ADDRESSES: unknown[] = [undefined, null, "", "0x", 1, [], "vitalik.eth", `0x${"g".repeat(40)}`];
const NOT_SIGNATURES: unknown[] = [undefined, null, "", "0x", "0x1", 1, {}, "5d41", `0x${"00".repeat(4097)}`];
const NOT_CHALLENGES: unknown[] = [undefined, null, "", 7, [], "x".repeat(2049)];
const NOT_SEALS = ["x", ".", "a.b", SEALED, `${SEALED}.x`, SEALED.replace(".", " ")];

/** Sign-in requests that are incomplete, or have a challenge from elsewhere. */
export function badSignIns(world: BadInputWorld): BadRow[] {
  const both = { contractAddress: world.contract, operatorAddress: world.other };
  const row = (name: string, path: string, body: object): BadRow => ({
    name: `${path}: ${name}`,
    path: `/v1/dapp-auth/${path}`,
    token: null,
    body: JSON.stringify(body),
  });
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60) ?? "nothing";
  return [
    ...NOT_ADDRESSES.flatMap((value) => [
      row(`contract ${shown(value)}`, "challenge", { ...both, contractAddress: value }),
      row(`operator ${shown(value)}`, "challenge", { ...both, operatorAddress: value }),
    ]),
    row("another field", "challenge", { ...both, chainId: 1 }),
    ...NOT_SIGNATURES.map((signature) =>
      row(`signature ${shown(signature)}`, "solve", { challengeData: SEALED, signature }),
    ),
    ...NOT_CHALLENGES.map((challengeData) =>
      row(`challenge ${shown(challengeData)}`, "solve", { challengeData, signature: SIGNATURE }),
    ),
    ...NOT_SEALS.map((challengeData) => ({
      ...row(`seal ${shown(challengeData)}`, "solve", { challengeData, signature: SIGNATURE }),
      status: 401,
      code: "challenge_expired" as const,
    })),
    {
      ...row("a contract that is not registered", "challenge", {
        ...both,
        contractAddress: world.unregistered,
      }),
      status: 404,
      code: "contract_not_found",
    },
    ...["challenge", "solve"].map((path) =>
      refused(413, "body_too_large", `${path} with a body of 16 KB and one byte`, {
        path: `/v1/dapp-auth/${path}`,
        token: null,
        body: `${JSON.stringify(both)}${" ".repeat(16_385)}`.slice(0, 16_385),
      }),
    ),
    refused(415, "unsupported_media_type", "solve without a body", {
      path: "/v1/dapp-auth/solve",
      method: "POST",
      token: null,
    }),
  ];
}
