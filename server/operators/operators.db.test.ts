import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import { admitCaller, authorizeContract } from "@/server/auth/authorize-contract";
import { setOperator } from "@/server/contracts/change-contract";
import { answerStatement, stoppedClock } from "@/testing/changed-statements";
import { shifted, times } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { expiresAtMs, openChallenge, solveChallenge, startChallenge } from "./challenge";

const SECRET = "secret-of-this-test";
const SECONDS = 90;
const operator = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());

const { db, context, newContract, useContract } = useLedger();
const contract = useContract();
beforeAll(async () => {
  await setOperator(context("ops"), { contractAddress: contract, operatorAddress: operator.address });
});

const challenge = (operatorAddress: string = operator.address, contractAddress = contract) =>
  startChallenge(
    db,
    { contractAddress, operatorAddress },
    { origin: "https://points.example.com", chainId: 81457, seconds: SECONDS, secret: SECRET },
  );
const solve = (challengeData: string, signature: string, secrets = [SECRET]) =>
  solveChallenge(db, { challengeData, signature }, { secrets, rpcUrl: undefined });
async function signed(account = operator, contractAddress = contract) {
  const { challengeData, message } = await challenge(account.address, contractAddress);
  return { challengeData, signature: await account.signMessage({ message }) };
}
async function signIn(account = operator, contractAddress = contract) {
  const { challengeData, signature } = await signed(account, contractAddress);
  return solve(challengeData, signature);
}
const authenticate = (token: string) =>
  admitCaller({
    db,
    authorization: `Bearer ${token}`,
    clientAddress: "198.51.100.7",
    replyHeaders: new Headers(),
  });
const errorWith = (code: string) => expect.objectContaining({ code });
/** Moves stored tokens back in time. */
const age = (seconds: number) =>
  db.sql.unsafe(`update operator_tokens set expires_at = ${shifted("expires_at", -seconds)}`);

test("an operator's token acts for the challenge's contract with the default scopes, under the operator's name", async () => {
  const { bearerToken } = await signIn();
  expect(bearerToken).toMatch(/^pto_[0-9A-Za-z]{36}$/);
  const caller = await authenticate(bearerToken);
  expect(caller).toEqual({
    actor: `operator:${operator.address}`,
    contractKey: contract,
    scopes: ["batches:read", "batches:write"],
    // A wallet is not a staff member's token: nobody is kept from approving.
    tokenCreatedBy: null,
    tokenId: null,
  });
  await authorizeContract(db, caller, contract, "batches:write");
  const other = await newContract();
  await expect(authorizeContract(db, caller, other, "batches:read")).rejects.toEqual(
    errorWith("wrong_contract"),
  );
});

test("an operator's token is valid for an hour, by the database's clock", async () => {
  const { bearerToken } = await signIn();
  await age(3595);
  await authenticate(bearerToken);
  await age(5);
  const refused = authenticate(bearerToken);
  await expect(refused).rejects.toEqual(errorWith("expired_token"));
  await expect(refused).rejects.toThrow("the contract has a new operator");
});

test("an operator's token is stored as a hash only", async () => {
  const { bearerToken } = await signIn();
  const rows = await db.sql`select * from operator_tokens`;
  expect(JSON.stringify(rows)).not.toContain(bearerToken.slice(4));
});

test("an operator's token is revoked for good when the contract gets a new operator", async () => {
  const own = await newContract();
  const change = (operatorAddress: string | null) =>
    setOperator(context("ops"), { contractAddress: own, operatorAddress });
  await change(operator.address);
  const { bearerToken } = await signIn(operator, own);
  await change(operator.address);
  await authenticate(bearerToken);
  await change(stranger.address);
  await expect(authenticate(bearerToken)).rejects.toEqual(errorWith("invalid_token"));
  await change(operator.address);
  await expect(authenticate(bearerToken)).rejects.toEqual(errorWith("invalid_token"));
  const audit = await db.sql<{ detail: { operator: string } }[]>`
      select detail from audit_log where action = 'contract.operator' and target = ${`contract:${own}`} order by id`;
  expect(audit.map(({ detail }) => detail.operator)).toEqual([
    operator.address,
    operator.address,
    stranger.address,
    operator.address,
  ]);
});

test("a challenge works once, even when solved many times concurrently", async () => {
  const { challengeData, signature } = await signed();
  const outcomes = await times(8, () =>
    solve(challengeData, signature).then(
      () => "token",
      (error: { code: string }) => error.code,
    ),
  );
  expect(outcomes.sort()).toEqual([...Array(7).fill("challenge_expired"), "token"]);
});

test("a challenge expires after the seconds of the setting", async () => {
  const { challengeData, signature } = await signed();
  const challenge = openChallenge(challengeData, SECRET)!;
  const end = expiresAtMs(challenge);
  expect(end - challenge.issuedAtMs).toBe(SECONDS * 1000);
  const at = (ms: number) => stoppedClock(db, new Date(ms));
  const solveOn = (on: typeof db) =>
    solveChallenge(on, { challengeData, signature }, { secrets: [SECRET], rpcUrl: undefined });
  await expect(solveOn(at(end))).rejects.toMatchObject({ message: "The challenge has expired." });
  // It may also expire while the signature is verified.
  const meanwhile = answerStatement(at(end), "as fresh", async () => [{ fresh: 1 }]);
  await expect(solveOn(meanwhile)).rejects.toEqual(errorWith("challenge_expired"));
  await solveOn(at(end - 1));
});

test("a challenge from before AUTH_SECRET was rotated is solved, as long as AUTH_SECRET_PREVIOUS has the old one", async () => {
  const { challengeData, signature } = await signed();
  await solve(challengeData, signature, ["auth-secret-after-rotation", SECRET]);
});

test("a challenge with a different secret or a changed character is invalid", async () => {
  const { challengeData, signature } = await signed();
  await expect(solve(challengeData, signature, ["another-secret-here"])).rejects.toEqual(
    errorWith("challenge_expired"),
  );
  for (const at of [0, 5, challengeData.indexOf(".") - 1, challengeData.length - 3]) {
    const other = challengeData[at] === "A" ? "B" : "A";
    const edited = challengeData.slice(0, at) + other + challengeData.slice(at + 1);
    await expect(solve(edited, signature), `edited at ${at}`).rejects.toEqual(errorWith("challenge_expired"));
  }
  await solve(challengeData, signature);
});

test("a challenge is not spent by a wrong signature, whose signer is named", async () => {
  const { challengeData, message } = await challenge();
  const wrong = await stranger.signMessage({ message });
  const refused = solve(challengeData, wrong);
  await expect(refused).rejects.toEqual(errorWith("not_operator"));
  await expect(refused).rejects.toThrow(stranger.address);
  await expect(refused).rejects.toThrow(
    /, or the operator is a smart-contract wallet \(ERC-1271\), whose .* RPC_URL\.$/,
  );
  const broken = `0x${"00".repeat(65)}`;
  await expect(solve(challengeData, broken)).rejects.toEqual(errorWith("invalid_signature"));
  await solve(challengeData, await operator.signMessage({ message }));
});

test("a signature by somebody who is not the operator is refused and names the signer", async () => {
  await expect(signIn(stranger)).rejects.toMatchObject({
    code: "not_operator",
    message: expect.stringContaining(stranger.address),
  });
});
