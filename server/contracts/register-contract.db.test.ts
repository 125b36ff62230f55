import { describe, expect, test } from "vitest";
import { grantPoints } from "@/server/ledger/issuances";
import { times, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { registerContract } from "./change-contract";

const { db, context, newContract, balance } = useLedger();

const ops = () => context("ops");
const errorWith = (code: string) => expect.objectContaining({ code });
const auditOf = async (address: string) =>
  (
    await db.sql<
      { action: string }[]
    >`select action from audit_log where target = ${`contract:${address}`} order by id`
  ).map((row) => row.action);

describe("registering a contract", () => {
  test("creates an account for each point type and is audited", async () => {
    const contract = await newContract();
    expect((await balance(contract, "PHASE2_GOLD")).available).toBe("0");
    expect(await auditOf(contract)).toEqual(["contract.create"]);
  });

  test("is refused the second time, in any letter case, also concurrently", async () => {
    const address = `0x${"ab".repeat(20)}`;
    const register = (written: string) =>
      registerContract(ops(), { address: written, label: "x", operatorAddress: null, issuance: "ON_DEMAND" });
    const results = await Promise.allSettled([
      register(address),
      register(`0x${"AB".repeat(20)}`),
      register(address),
    ]);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    await expect(register(address)).rejects.toEqual(errorWith("validation_failed"));
    expect(await auditOf(address)).toEqual(["contract.create"]);
  });
});

describe("granting points", () => {
  const grant = (contractAddress: string, points: string) =>
    grantPoints(ops(), { contractAddress, pointType: "PHASE2_POINTS", points });

  test("adds up, also concurrently, and each grant is recorded and audited", async () => {
    const contract = await newContract({ issuance: "PREFUNDED" });
    await times(10, () => grant(contract, "1.5"));
    expect(await balance(contract)).toMatchObject({ available: "15", earnedCumulative: "15" });
    expect(await auditOf(contract)).toEqual(["contract.create", ...Array(10).fill("points.grant")]);
  });

  test("is refused for an amount of 0, for a contract that issues on demand, and for an unregistered contract", async () => {
    const prefunded = await newContract({ issuance: "PREFUNDED" });
    await expect(grant(prefunded, "0")).rejects.toEqual(errorWith("validation_failed"));
    await expect(grant(prefunded, "0.000")).rejects.toEqual(errorWith("validation_failed"));
    await expect(grant(await newContract(), "1")).rejects.toEqual(errorWith("validation_failed"));
    await expect(grant(wallet(0xdead), "1")).rejects.toEqual(errorWith("contract_not_found"));
    await expect(grant(prefunded, "1e3")).rejects.toThrow();
  });
});
