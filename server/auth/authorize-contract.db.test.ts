import { describe, expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { admitCaller, authorizeContract } from "./authorize-contract";
import { createAccessToken, hashToken, type TokenScope } from "./tokens";

const { db, context, newContract, useContract } = useLedger();
const contract = useContract();

const SCOPES: TokenScope[] = ["batches:read", "batches:write"];
const make = (options: { scopes?: TokenScope[]; expiresAt?: string | null; contractAddress?: string } = {}) =>
  createAccessToken(context("ops"), {
    contractAddress: contract,
    name: "payouts",
    scopes: SCOPES,
    expiresAt: null,
    ...options,
  });
const authenticate = (header: string | null) =>
  admitCaller({ db, authorization: header, clientAddress: "198.51.100.7", replyHeaders: new Headers() });
const errorWith = (code: string) => expect.objectContaining({ code });

describe("a token", () => {
  test("identifies the contract, name and scopes, and accepts Bearer in any letter case", async () => {
    const { token } = await make({ scopes: ["batches:read"] });
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`]) {
      expect(await authenticate(header)).toEqual({
        actor: "token:payouts",
        contractKey: contract,
        tokenCreatedBy: "ops",
        scopes: ["batches:read"],
      });
    }
  });

  test("is stored as a hash only, and its creation is audited without it", async () => {
    const { token, id } = await make();
    const [row] = await db.sql<{ token_hash: Buffer }[]>`select * from access_tokens where id = ${id}`;
    expect(row!.token_hash).toEqual(hashToken(token));
    const audit = await db.sql`select * from audit_log where action = 'token.create'`;
    expect(JSON.stringify([row, ...audit])).not.toContain(token.slice(4));
  });

  test("expires by the database's clock", async () => {
    const past = await make({ expiresAt: new Date(Date.now() - 1000).toISOString() });
    await expect(authenticate(`Bearer ${past.token}`)).rejects.toEqual(errorWith("expired_token"));
    const soon = await make({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await authenticate(`Bearer ${soon.token}`)).contractKey).toBe(contract);
    await db.sql`update access_tokens set expires_at = now() where id = ${soon.id}`;
    await expect(authenticate(`Bearer ${soon.token}`)).rejects.toEqual(errorWith("expired_token"));
  });

  test("that was revoked is refused with a message that says so", async () => {
    const { token, id } = await make();
    await db.sql`update access_tokens set revoked_at = now() where id = ${id}`;
    const refused = authenticate(`Bearer ${token}`);
    await expect(refused).rejects.toEqual(errorWith("expired_token"));
    await expect(refused).rejects.toThrow("The access token was revoked.");
  });

  test("stores its own last use, at most once a minute", async () => {
    const { token, id } = await make();
    const idle = await make();
    const lastUse = async (of = id) =>
      (
        await db.sql<{ at: string | null }[]>`select last_used_at as at from access_tokens where id = ${of}`
      )[0]!.at;
    await authenticate(`Bearer ${token}`);
    await expect.poll(() => lastUse()).not.toBeNull();
    expect(await lastUse(idle.id)).toBeNull();
    const first = await lastUse();
    await authenticate(`Bearer ${token}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await lastUse()).toEqual(first);
    await db.sql`update access_tokens set last_used_at = now() - interval '61 seconds' where id = ${id}`;
    const stale = await lastUse();
    await authenticate(`Bearer ${token}`);
    await expect.poll(() => lastUse()).not.toEqual(stale);
  });
});

describe("a caller", () => {
  const caller = (scopes: TokenScope[] = SCOPES) => ({
    actor: "token:t",
    contractKey: contract,
    tokenCreatedBy: null,
    scopes,
  });

  test("can act for its own contract, in any letter case", async () => {
    for (const address of [contract, `0x${contract.slice(2).toUpperCase()}`]) {
      await expect(authorizeContract(db, caller(), address, "batches:write")).resolves.toBeUndefined();
    }
  });

  test("cannot act for another or an unregistered contract, with different errors", async () => {
    const other = await newContract();
    await expect(authorizeContract(db, caller(), other, "batches:read")).rejects.toEqual(
      errorWith("wrong_contract"),
    );
    await expect(authorizeContract(db, caller(), wallet(0xdead), "batches:read")).rejects.toEqual(
      errorWith("contract_not_found"),
    );
  });

  test("needs the scope", async () => {
    await expect(authorizeContract(db, caller(["batches:read"]), contract, "batches:write")).rejects.toEqual(
      errorWith("missing_scope"),
    );
    await expect(authorizeContract(db, caller(["batches:write"]), contract, "batches:read")).rejects.toEqual(
      errorWith("missing_scope"),
    );
  });
});
