import { expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { admitCaller, authorizeContract } from "./authorize-contract";
import { createAccessToken, hashToken, type TokenScope } from "./tokens";

const { db, context, newContract, useContract } = useLedger();
const contract = useContract();

const make = (expiresAt: string | null = null) =>
  createAccessToken(context("ops"), {
    contractAddress: contract,
    name: "payouts",
    scopes: ["batches:read"],
    expiresAt,
  });
const authenticate = (authorization: string | null) =>
  admitCaller({ db, authorization, clientAddress: "198.51.100.7", replyHeaders: new Headers() });
const errorWith = (code: string) => expect.objectContaining({ code });

test("a token identifies the contract, name and scopes, and accepts Bearer in any letter case", async () => {
  const { token, id } = await make();
  for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`])
    expect(await authenticate(header)).toEqual({
      actor: "token:payouts",
      tokenId: id,
      contractKey: contract,
      tokenCreatedBy: "ops",
      scopes: ["batches:read"],
    });
});

test("a token is stored as a hash only, and its creation is audited without it", async () => {
  const { token, id } = await make();
  const [row] = await db.sql<{ token_hash: Buffer }[]>`select * from access_tokens where id = ${id}`;
  expect(row!.token_hash).toEqual(hashToken(token));
  const audit = await db.sql`select * from audit_log where action = 'token.create'`;
  expect(audit.length).toBeGreaterThan(0);
  expect(JSON.stringify([row, ...audit])).not.toContain(token.slice(4));
});

test("a token expires by the database's clock, and a revoked one is refused with a message that says so", async () => {
  const past = await make(new Date(Date.now() - 1000).toISOString());
  await expect(authenticate(`Bearer ${past.token}`)).rejects.toEqual(errorWith("expired_token"));
  const soon = await make(new Date(Date.now() + 60_000).toISOString());
  expect((await authenticate(`Bearer ${soon.token}`)).contractKey).toBe(contract);
  await db.sql`update access_tokens set expires_at = now() where id = ${soon.id}`;
  await expect(authenticate(`Bearer ${soon.token}`)).rejects.toEqual(errorWith("expired_token"));
  await db.sql`update access_tokens set expires_at = null, revoked_at = now() where id = ${soon.id}`;
  await expect(authenticate(`Bearer ${soon.token}`)).rejects.toMatchObject({
    code: "expired_token",
    message: "The access token was revoked.",
  });
});

test("a token stores its own last use, at most once a minute", async () => {
  const { token, id } = await make();
  const lastUse = async () =>
    (await db.sql<{ at: Date | null }[]>`select last_used_at as at from access_tokens where id = ${id}`)[0]!
      .at;
  await authenticate(`Bearer ${token}`);
  await expect.poll(lastUse).not.toBeNull();
  const first = await lastUse();
  await authenticate(`Bearer ${token}`);
  expect(await lastUse()).toEqual(first);
  await db.sql`update access_tokens set last_used_at = now() - interval '61 seconds' where id = ${id}`;
  const stale = await lastUse();
  await authenticate(`Bearer ${token}`);
  await expect.poll(lastUse).not.toEqual(stale);
});

test("a caller can act for its own contract, in any letter case, cannot act for another or an unregistered one, and needs the scope", async () => {
  const other = await newContract();
  const READ: TokenScope = "batches:read";
  const WRITE: TokenScope = "batches:write";
  for (const [scopes, address, needed, code] of [
    [[READ, WRITE], contract, WRITE, null],
    [[READ, WRITE], `0x${contract.slice(2).toUpperCase()}`, WRITE, null],
    [[READ, WRITE], other, READ, "wrong_contract"],
    [[READ, WRITE], wallet(0xdead), READ, "contract_not_found"],
    [[READ], contract, WRITE, "missing_scope"],
    [[WRITE], contract, READ, "missing_scope"],
  ] as const) {
    const holder = { actor: "token:t", contractKey: contract, tokenId: null };
    const caller = { ...holder, tokenCreatedBy: null, scopes: [...scopes] };
    const outcome = await authorizeContract(db, caller, address, needed).then(
      () => null,
      (error) => error.code,
    );
    expect(outcome, `${scopes} ${address} ${needed}`).toBe(code);
  }
});
