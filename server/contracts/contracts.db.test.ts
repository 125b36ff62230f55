import { expect, test } from "vitest";
import { settings } from "@/server/kernel/settings";
import { grantPoints } from "@/server/ledger/issuances";
import { times, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import {
  type Issuance,
  registerContract,
  renameContract,
  setDefaultWait,
  setIssuance,
} from "./change-contract";
import { describeContract, describeSetup, searchContracts } from "./read-contracts";

const { db, context, newContract, submit, balance } = useLedger();

const admin = () => context("staff:admin@example.com");
const errorWith = (code: string) => expect.objectContaining({ code });
const auditOf = (address: string) => db.sql<{ actor: string; action: string; detail: unknown }[]>`
  select actor, action, detail from audit_log where target = ${`contract:${address}`} order by id`;

test("a contract is registered once, in any letter case and also concurrently, and audited", async () => {
  const address = `0x${"ab".repeat(20)}`;
  const register = (written: string) =>
    registerContract(admin(), { address: written, label: "x", operatorAddress: null, issuance: "ON_DEMAND" });
  const results = await Promise.allSettled([
    register(address),
    register(`0x${"AB".repeat(20)}`),
    register(address),
  ]);
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  await expect(register(address)).rejects.toEqual(errorWith("validation_failed"));
  expect((await auditOf(address)).map(({ action }) => action)).toEqual(["contract.create"]);
});

test("concurrent grants add up, each is audited, and no bad one is made", async () => {
  const grant = (contractAddress: string, points: string) =>
    grantPoints(admin(), { contractAddress, pointType: "PHASE2_POINTS", points });
  const contract = await newContract({ issuance: "PREFUNDED" });
  await times(10, () => grant(contract, "1.5"));
  expect(await balance(contract)).toMatchObject({ available: "15", earnedCumulative: "15" });
  expect((await auditOf(contract)).slice(1).map(({ action }) => action)).toEqual(
    Array(10).fill("points.grant"),
  );
  await expect(grant(contract, "0.000")).rejects.toEqual(errorWith("validation_failed"));
  await expect(grant(await newContract(), "1")).rejects.toEqual(errorWith("validation_failed"));
  await expect(grant(wallet(0xdead), "1")).rejects.toEqual(errorWith("contract_not_found"));
});

const named = async (label: string) => {
  const contractAddress = await newContract();
  await renameContract(admin(), { contractAddress, label });
  return contractAddress;
};

test("searching contracts finds part of a label in any letter case or the start of an address, page by page", async () => {
  const made: string[] = [];
  for (const label of ["zeta Quest", "Alpha quest", "beta quest", "alpha quest"])
    made.push(await named(label));
  const [zeta, upper, beta, lower] = made.map((address) => address.toLowerCase());
  const questions: string[] = [];
  for (let more = 0; more < 100; more++) questions.push(await named("beta question"));
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await searchContracts(admin(), { search: "QUEST", cursor });
    found.push(...page.contracts.map(({ address }) => address.toLowerCase()));
    cursor = page.cursor;
  } while (cursor);
  expect(found).toEqual([...[upper, lower].sort(), beta, ...questions, zeta]);
  const byAddress = async (search: string) =>
    (await searchContracts(admin(), { search })).contracts.map(({ address }) => address.toLowerCase());
  expect(await byAddress(beta!)).toEqual([beta]);
  expect(await byAddress(beta!.slice(2).toUpperCase())).toEqual([beta]);
  expect(await byAddress("100%_ no such")).toEqual([]);
});

test("the first steps of a contract or the whole console are shown while the contract is new", async () => {
  const contractAddress = await newContract();
  const steps = () => Promise.all([{ contractAddress }, {}].map((of) => describeSetup(admin(), of)));
  expect(await steps()).toMatchObject([{ hasBatch: false, hasAlerts: false }, {}]);
  await submit(contractAddress, [[1, "1"]]);
  expect(await steps()).toMatchObject([{ hasBatch: true, hasWebhook: false }, { hasBatch: true }]);
  await db.sql`update contracts set created_at = now() - interval '31 days'`;
  expect(await steps()).toEqual([null, null]);
});

test("a contract change of the label is audited with both labels, once per change", async () => {
  const contractAddress = await newContract();
  const before = (await describeContract(admin(), { contractAddress })).label;
  await times(3, () => renameContract(admin(), { contractAddress, label: "Harbour" }));
  expect((await describeContract(admin(), { contractAddress })).label).toBe("Harbour");
  expect((await auditOf(contractAddress)).slice(1)).toEqual([
    { actor: "staff:admin@example.com", action: "contract.rename", detail: { from: before, to: "Harbour" } },
  ]);
  await expect(renameContract(admin(), { contractAddress: wallet(1), label: "x" })).rejects.toEqual(
    errorWith("contract_not_found"),
  );
});

test("a contract change to prefunded keeps the balance and rejects anything beyond it, and back again issues on demand", async () => {
  const contractAddress = await newContract();
  const become = (issuance: Issuance) => setIssuance(admin(), { contractAddress, issuance });
  const send = (points: string) => submit(contractAddress, [[1, points]], { secondsToFinalize: 60 });
  await send("5");
  await become("PREFUNDED");
  await become("PREFUNDED");
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

test("a contract has the host's default wait until an admin sets one within the host's limits, and each change is audited", async () => {
  const contractAddress = await newContract();
  const set = (seconds: number) => setDefaultWait(admin(), { contractAddress, seconds });
  const stored = async () => (await describeContract(admin(), { contractAddress })).defaultWaitSeconds;
  const { MINIMUM_FINALIZE_SECONDS: least, DEFAULT_FINALIZE_SECONDS: most } = settings();
  expect(await stored()).toBeNull();
  for (const seconds of [least, most, most]) await set(seconds);
  expect(await stored()).toBe(most);
  for (const seconds of [least - 1, most + 1])
    await expect(set(seconds)).rejects.toMatchObject({
      code: "validation_failed",
      message: `The default wait must be from ${least} to ${most} seconds.`,
    });
  expect(await stored()).toBe(most);
  const changes = (await auditOf(contractAddress)).filter(({ action }) => action === "contract.wait");
  expect(changes.map(({ detail }) => detail)).toEqual([
    { from: null, to: least },
    { from: least, to: most },
  ]);
  const unknown = setDefaultWait(admin(), { contractAddress: wallet(0xdead), seconds: most });
  await expect(unknown).rejects.toEqual(errorWith("contract_not_found"));
});
