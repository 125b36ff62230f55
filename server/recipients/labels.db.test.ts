import { expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../kernel/values/addresses";
import { describeRecipient } from "./describe-recipient";
import { labelsOf, setLabel } from "./labels";

const { db, context, newContract, submit } = useLedger();
const staff = () => context("staff:a@example.com");
const labelOf = async (address: string) => (await describeRecipient(context(), { address })).label;
const auditOf = (address: string) => db.sql<{ actor: string; action: string; detail: unknown }[]>`
  select actor, action, detail from audit_log where target = ${`recipient:${address}`} order by id`;

test("a label is set, changed and removed, each with its audit row, and no change has none", async () => {
  const address = wallet(0xaa1);
  expect(await labelOf(address)).toBeNull();
  await setLabel(staff(), { address, label: "Treasury" });
  await setLabel(staff(), { address, label: "Treasury" });
  expect(await labelOf(address)).toBe("Treasury");
  await setLabel(staff(), { address: address.toUpperCase().replace("0X", "0x"), label: "Cold storage" });
  expect(await labelOf(address)).toBe("Cold storage");
  await setLabel(staff(), { address, label: null });
  await setLabel(staff(), { address, label: null });
  expect(await labelOf(address)).toBeNull();
  const line = { actor: "staff:a@example.com", action: "recipient.label" };
  expect(await auditOf(address)).toEqual([
    { ...line, detail: { from: null, to: "Treasury" } },
    { ...line, detail: { from: "Treasury", to: "Cold storage" } },
    { ...line, detail: { from: "Cold storage", to: null } },
  ]);
});

test("a label that cannot be audited is not stored", async () => {
  const address = wallet(0xaa2);
  await db.sql`alter table audit_log add constraint refused check (action <> 'recipient.label') not valid`;
  await expect(setLabel(staff(), { address, label: "Treasury" })).rejects.toThrow();
  await db.sql`alter table audit_log drop constraint refused`;
  expect(await labelOf(address)).toBeNull();
});

test("a registered contract keeps its own label, and refuses another", async () => {
  const contract = await newContract();
  await expect(setLabel(staff(), { address: contract, label: "Mine" })).rejects.toMatchObject({
    code: "validation_failed",
    options: { errors: [{ pointer: "/address" }] },
  });
  expect(await auditOf(contract)).toEqual([]);
  const { contractLabel } = await describeRecipient(context(), { address: contract });
  expect(contractLabel).toMatch(/^Contract /);
});

test("labels of a batch's recipients come from contracts first, and then from what staff set", async () => {
  const [contract, labelled, other] = [await newContract(), wallet(0xaa3), wallet(0xaa4)];
  await setLabel(staff(), { address: labelled, label: "Treasury" });
  // From before it was registered.
  await db.sql`insert into recipient_labels (address, label) values (${addressToBytes(contract)}, 'Old label')`;
  const labels = await labelsOf(db, [contract, labelled, other, labelled]);
  expect(Object.fromEntries(labels)).toEqual({
    [contract.toLowerCase()]: expect.stringMatching(/^Contract /),
    [labelled]: "Treasury",
  });
  const sender = await newContract();
  await submit(sender, [[labelled, "1"] as const, [other, "2"] as const], { batchId: "labelled" });
  const { batches } = callerOf(db, "viewer");
  const transfers = await batches.transfers({ contractAddress: sender, batchId: "labelled" });
  expect(transfers.map(({ label }) => label)).toEqual(["Treasury", null]);
});

test("operators and admins set labels of one line, viewers only read them", async () => {
  const address = wallet(0xaa7);
  await expect(callerOf(db, "viewer").recipients.setLabel({ address, label: "Treasury" })).rejects.toThrow(
    "This requires the role operator",
  );
  for (const role of ["operator", "admin"] as const)
    await callerOf(db, role).recipients.setLabel({ address, label: `By ${role}` });
  expect(await callerOf(db, "viewer").recipients.get({ address })).toMatchObject({ label: "By admin" });
  for (const label of ["", " ", "x".repeat(81), "a\nb", "a\0b"])
    await expect(callerOf(db, "operator").recipients.setLabel({ address, label })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
});
