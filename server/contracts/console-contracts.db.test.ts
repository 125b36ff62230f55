import { describe, expect, test } from "vitest";
import { createAccessToken, listTokens, revokeToken } from "@/server/auth/tokens";
import { grantPoints, listIssuances } from "@/server/ledger/issuances";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { times, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { admitCaller } from "../auth/authorize-contract";
import { cancelBatch } from "../batches/change/cancel-batch";
import { type Issuance, renameContract, setIssuance, setOperator } from "./change-contract";
import { describeContract, searchContracts, sumPointsPerDay } from "./read-contracts";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const admin = () => context("staff:admin@example.com");
const errorWith = (code: string) => expect.objectContaining({ code });
const auditOf = (address: string) => db.sql<{ actor: string; action: string; detail: unknown }[]>`
  select actor, action, detail from audit_log where target = ${`contract:${address}`} order by id`;

const admit = (token: string) =>
  admitCaller({
    db,
    authorization: `Bearer ${token}`,
    clientAddress: "198.51.100.7",
    replyHeaders: new Headers(),
  });

describe("searching contracts", () => {
  const named = async (label: string) => {
    const contractAddress = await newContract();
    await renameContract(admin(), { contractAddress, label });
    return contractAddress;
  };

  test("finds part of a label in any letter case or the start of an address, page by page in both orders", async () => {
    const made: string[] = [];
    for (const label of ["zeta Quest", "Alpha quest", "beta quest", "alpha quest"])
      made.push(await named(label));
    const [zeta, upper, beta, lower] = made.map((address) => address.toLowerCase());
    const alphas = [upper, lower].sort();
    const walk = async (sort: "label" | "address") => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await searchContracts(admin(), { search: "QUEST", sort, limit: 1, cursor });
        found.push(...page.contracts.map(({ address }) => address.toLowerCase()));
        cursor = page.cursor;
      } while (cursor);
      return found;
    };
    expect(await walk("label")).toEqual([...alphas, beta, zeta]);
    expect(await walk("address")).toEqual([zeta, upper, beta, lower].sort());
    const byAddress = async (search: string) =>
      (await searchContracts(admin(), { search })).contracts.map(({ address }) => address.toLowerCase());
    expect(await byAddress(beta!)).toEqual([beta]);
    expect(await byAddress(beta!.slice(2).toUpperCase())).toEqual([beta]);
    expect(await byAddress("100%_ no such")).toEqual([]);
  });

  test("shows the balances of each contract", async () => {
    const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "100" });
    await submit(contractAddress, [[1, "30.5"]], { secondsToFinalize: 60 });
    const { contracts } = await searchContracts(admin(), { search: contractAddress });
    expect(contracts).toMatchObject([
      {
        issuance: "PREFUNDED",
        balances: {
          PHASE2_POINTS: { available: "69.5", pendingSent: "30.5", earnedCumulative: "100" },
          PHASE2_GOLD: { available: "0" },
        },
      },
    ]);
  });
});

describe("a contract change", () => {
  test("of the label is audited with both labels, once per change", async () => {
    const contractAddress = await newContract();
    const before = (await describeContract(admin(), { contractAddress })).label;
    await times(3, () => renameContract(admin(), { contractAddress, label: "Harbour" }));
    expect((await describeContract(admin(), { contractAddress })).label).toBe("Harbour");
    expect((await auditOf(contractAddress)).slice(1)).toEqual([
      {
        actor: "staff:admin@example.com",
        action: "contract.rename",
        detail: { from: before, to: "Harbour" },
      },
    ]);
    await expect(renameContract(admin(), { contractAddress: wallet(1), label: "x" })).rejects.toEqual(
      errorWith("contract_not_found"),
    );
  });

  test("to prefunded keeps the balance and rejects anything beyond it, and back again issues on demand", async () => {
    const contractAddress = await newContract();
    const become = (issuance: Issuance) => setIssuance(admin(), { contractAddress, issuance });
    const send = (points: string) => submit(contractAddress, [[1, points]], { secondsToFinalize: 60 });
    await send("5");
    await become("PREFUNDED");
    await become("PREFUNDED");
    await expectLedgerToBalance(db);
    await expect(send("0.01")).rejects.toEqual(errorWith("insufficient_points"));
    await grantPoints(admin(), { contractAddress, pointType: "PHASE2_POINTS", points: "1" });
    await send("0.25");
    await become("ON_DEMAND");
    await expect(
      grantPoints(admin(), { contractAddress, pointType: "PHASE2_POINTS", points: "1" }),
    ).rejects.toEqual(errorWith("validation_failed"));
    await send("1");
    expect(await balance(contractAddress)).toMatchObject({
      available: "0",
      pendingSent: "6.25",
      earnedCumulative: "6.25",
    });
    expect(
      (await auditOf(contractAddress)).filter(({ action }) => action === "contract.issuance"),
    ).toMatchObject([
      { detail: { from: "ON_DEMAND", to: "PREFUNDED" } },
      { detail: { from: "PREFUNDED", to: "ON_DEMAND" } },
    ]);
    await expect(setIssuance(admin(), { contractAddress: wallet(1), issuance: "PREFUNDED" })).rejects.toEqual(
      errorWith("contract_not_found"),
    );
  });

  test("of issuance during grants and submits leaves a balanced ledger", async () => {
    const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "10" });
    const results = await Promise.allSettled([
      ...Array.from({ length: 8 }, (_, i) =>
        setIssuance(admin(), { contractAddress, issuance: i % 2 ? "PREFUNDED" : "ON_DEMAND" }),
      ),
      ...Array.from({ length: 8 }, () =>
        grantPoints(admin(), { contractAddress, pointType: "PHASE2_POINTS", points: "1" }),
      ),
      ...Array.from({ length: 8 }, () => submit(contractAddress, [[2, "3"]])),
    ]);
    const granted = results.slice(8, 16).filter(({ status }) => status === "fulfilled").length;
    const grants = (await auditOf(contractAddress)).filter(({ action }) => action === "points.grant");
    expect(grants).toHaveLength(granted + 1);
    await finalize();
  });

  test("of the operator shows in the contract's details", async () => {
    const contractAddress = await newContract();
    await setOperator(admin(), { contractAddress, operatorAddress: wallet(0xabc) });
    expect((await describeContract(admin(), { contractAddress })).operatorAddress?.toLowerCase()).toBe(
      wallet(0xabc),
    );
    await setOperator(admin(), { contractAddress, operatorAddress: null });
    expect(await describeContract(admin(), { contractAddress })).toMatchObject({
      operatorAddress: null,
      operatorTokens: 0,
    });
    await expect(describeContract(admin(), { contractAddress: wallet(1) })).rejects.toEqual(
      errorWith("contract_not_found"),
    );
  });
});

describe("tokens of a contract", () => {
  test("are listed with their creator, and a revoked one is refused immediately", async () => {
    const contractAddress = await newContract();
    const make = (name: string, expiresAt: string | null) =>
      createAccessToken(admin(), { contractAddress, name, scopes: ["batches:read"], expiresAt });
    await make("old", "2026-01-01T00:00:00Z");
    const { token, id } = await make("bot", null);
    const use = () => admit(token);
    expect((await use()).actor).toBe("token:bot");
    await revokeToken(admin(), { contractAddress, tokenId: (await make("gone", null)).id });
    const listed = await listTokens(admin(), { contractAddress });
    expect(listed.map(({ name, state }) => [name, state])).toEqual([
      ["bot", "active"],
      ["gone", "revoked"],
      ["old", "expired"],
    ]);
    expect(listed[0]).toMatchObject({ createdBy: "staff:admin@example.com", scopes: ["batches:read"] });
    expect(JSON.stringify(listed)).not.toContain(token);

    await times(3, () => revokeToken(admin(), { contractAddress, tokenId: id }));
    await expect(use()).rejects.toEqual(errorWith("expired_token"));
    expect((await auditOf(contractAddress)).filter(({ action }) => action === "token.revoke")).toMatchObject([
      { detail: { name: "gone" } },
      { detail: { name: "bot", token: id } },
    ]);
  });

  test("can only be revoked through their own contract", async () => {
    const [own, other] = [await newContract(), await newContract()];
    const { token, id } = await createAccessToken(admin(), {
      contractAddress: own,
      name: "own",
      scopes: ["batches:read"],
      expiresAt: null,
    });
    await expect(revokeToken(admin(), { contractAddress: other, tokenId: id })).rejects.toEqual(
      errorWith("not_found"),
    );
    expect((await admit(token)).actor).toBe("token:own");
  });
});

test("issuances and grants are listed newest first, page by page, with the batch or the team member", async () => {
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "2.50"]], { batchId: "first" });
  await setIssuance(admin(), { contractAddress, issuance: "PREFUNDED" });
  for (const points of ["7", "8"])
    await grantPoints(admin(), { contractAddress, pointType: "PHASE2_GOLD", points });
  const first = await listIssuances(admin(), { contractAddress, limit: 2 });
  expect(first.issuances.map(({ points, grantedBy }) => [points, grantedBy])).toEqual([
    ["8", "staff:admin@example.com"],
    ["7", "staff:admin@example.com"],
  ]);
  const second = await listIssuances(admin(), { contractAddress, limit: 2, cursor: first.cursor });
  expect(second).toMatchObject({
    issuances: [{ points: "2.5", pointType: "PHASE2_POINTS", batchId: "first", grantedBy: null }],
    cursor: null,
  });
});

test("points per day are split by current status, and the parts add up", async () => {
  const contractAddress = await newContract();
  const add = (batchId: string, points: string, secondsToFinalize = 0) =>
    submit(contractAddress, [[1, points]], { batchId, secondsToFinalize });
  await add("finalized", "10.000000000001");
  await finalize();
  await add("pending", "2", 3600);
  await add("cancelled", "0.5", 3600);
  await cancelBatch(context(), { contractAddress, batchId: "cancelled" });
  const dayMs = 86_400_000;
  const dayStarts = [-2, -1, 0, 1].map((day) => new Date(Date.now() + day * dayMs - dayMs / 2).toISOString());
  expect(await sumPointsPerDay(admin(), { contractAddress, dayStarts })).toEqual([
    {
      day: 2,
      pointType: "PHASE2_POINTS",
      batches: 3,
      created: "12.500000000001",
      finalized: "10.000000000001",
      cancelled: "0.5",
      pending: "2",
    },
  ]);
});
