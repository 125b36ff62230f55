import { expect, test } from "vitest";
import { approveBatch, rejectBatch } from "@/server/batches/change/approve-batch";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { findBatch, findTransfers } from "@/server/batches/list/get-batch";
import { describeBatch } from "@/server/batches/review/describe-batch";
import { reviewNewBatch } from "@/server/batches/review/review-batch";
import type { ReverseBatchInput } from "@/server/batches/submit/submit-schema";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { paysAgain, whyUnusual } from "@/terms/finding-text";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { batchOf, LIMITS, setRule, wallet } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { dryRunReversal, findTakenBack } from "./prepare-reversal";
import { reverseBatch } from "./reverse-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger();

const ANN = "staff:ann@example.com";
let wallets = 0x9000;
const shown = (address: string) => addressFromBytes(addressToBytes(address));

/** A FINALIZED batch `paid` that gives 10.5 and 2 to two new wallets. */
async function paid(more: [string, string][] = []) {
  const contractAddress = await newContract();
  const [a, b] = [wallet(wallets++), wallet(wallets++)];
  await submit(batchOf(contractAddress, [[a, "10.5"], [b, "2"], ...more], { batchId: "paid" }));
  await finalize();
  return { contractAddress, a, b };
}

const reverse = (input: Omit<ReverseBatchInput, "batchId">, actor?: string) =>
  reverseBatch(context(actor), LIMITS, { batchId: "paid", secondsToFinalize: 0, ...input });

const marks = async (contractAddress: string) => {
  const rows = await db.sql`
    select 1 from reversed_transfers where contract_address = ${addressToBytes(contractAddress)}`;
  return rows.length;
};

test("a reversal reserves at the recipients, gives the contract its points back when it is finalized, and leaves its batch as it was", async () => {
  const { contractAddress, a, b } = await paid();
  const before = await balance(contractAddress);
  const original = await findBatch(context(), contractAddress, "paid");
  const { batchId } = await reverse({ contractAddress, reversalId: "back", reason: "wrong file" });
  expect(batchId).toBe("back");
  expect(await balance(a)).toMatchObject({ available: "0", pendingSent: "10.5", receivedCumulative: "10.5" });
  expect(await balance(contractAddress)).toEqual(before);
  await finalize();
  for (const [address, points] of [
    [a, "10.5"],
    [b, "2"],
  ] as const)
    expect(await balance(address)).toEqual({
      available: "0",
      pendingSent: "0",
      earnedCumulative: "0",
      receivedCumulative: points,
      finalizedSentCumulative: points,
    });
  const given = { receivedCumulative: "12.5", finalizedSentCumulative: "12.5" };
  expect(await balance(contractAddress)).toMatchObject({ available: "12.5", ...given });
  const stored = { status: "FINALIZED", points: "12.500000000000", reversalReason: "wrong file" };
  expect(await findBatch(context(), contractAddress, "back")).toMatchObject(stored);
  expect(await findBatch(context(), contractAddress, "paid")).toEqual(original);
});

test("a reversal takes back chosen rows, in the order and with the amounts of the batch", async () => {
  const { contractAddress, a, b } = await paid();
  const toAddresses = [b.toUpperCase().replace("0X", "0x")];
  await reverse({ contractAddress, reversalId: "one", toAddresses, reason: "wrong row" }, ANN);
  const one = await findBatch(context(), contractAddress, "one");
  expect(await findTransfers(context(), one)).toEqual([{ toAddress: shown(b), points: "2" }]);
  expect(await balance(a)).toMatchObject({ available: "10.5" });
  const { reversals } = await describeBatch(context(ANN), { contractAddress, batchId: "paid" });
  expect(reversals).toMatchObject([{ id: "one", transferCount: 1, by: ANN, reason: "wrong row" }]);
  const marked = await callerOf(db, "viewer").batches.transfers({ contractAddress, batchId: "paid" });
  expect(marked.map(({ takenBackBy }) => takenBackBy)).toEqual([undefined, "one"]);
  const again = { ...batchOf(contractAddress, []), transfers: marked };
  const review = () => reviewNewBatch(context(), again, { points: "12.5" });
  await reverse({ contractAddress, reversalId: "other", toAddresses: [a] });
  expect(paysAgain(await review())).toBe(true);
  await finalize();
  const [isAgain, why] = [paysAgain(await review()), whyUnusual(await review())];
  expect([isAgain, why.split("paid, ")[1]]).toEqual([false, "all taken back."]);
  expect(await balance(contractAddress)).toMatchObject({ available: "12.5" });
});

test("a reversal takes a row back once, whatever became of the first reversal except a cancel", async () => {
  const { contractAddress, a, b } = await paid();
  await reverse({ contractAddress, reversalId: "first", toAddresses: [a] });
  const refusal = {
    code: "already_reversed",
    options: { extra: { reversed: [{ toAddress: shown(a), batchId: "first" }] } },
  };
  await expect(reverse({ contractAddress })).rejects.toMatchObject(refusal);
  await finalize();
  await expect(reverse({ contractAddress })).rejects.toMatchObject(refusal);
  await reverse({ contractAddress, toAddresses: [b] });
});

test("a reversal is refused with every contract that has spent what it got, and stores nothing", async () => {
  const spent = await newContract({ issuance: "PREFUNDED" });
  const kept = await newContract({ issuance: "PREFUNDED" });
  const { contractAddress, a } = await paid([
    [spent, "7"],
    [kept, "3"],
  ]);
  await submit(batchOf(spent, [[a, "5.5"]], { secondsToFinalize: 3600 }));
  await submit(batchOf(kept, [[a, "0.01"]], { secondsToFinalize: 3600 }));
  const short = [
    { toAddress: shown(spent), available: "1.5", needed: "7" },
    { toAddress: shown(kept), available: "2.99", needed: "3" },
  ];
  const refusal = { code: "recipients_short", options: { extra: { recipients: short } } };
  const input = { contractAddress, batchId: "paid", reversalId: "back" };
  await expect(dryRunReversal(context(), LIMITS, input)).rejects.toMatchObject(refusal);
  await expect(reverse(input)).rejects.toMatchObject(refusal);
  await expect(findBatch(context(), contractAddress, "back")).rejects.toMatchObject({
    code: "batch_not_found",
  });
  expect(await marks(contractAddress)).toBe(0);
  await reverse({ contractAddress, toAddresses: [a] });
});

test("a reversal issues nothing to a contract that issues on demand and is short", async () => {
  const spent = await newContract();
  const { contractAddress, a } = await paid([[spent, "7"]]);
  await submit(batchOf(spent, [[a, "7"]], { secondsToFinalize: 3600 }));
  await expect(reverse({ contractAddress })).rejects.toMatchObject({ code: "recipients_short" });
  expect(await balance(spent)).toMatchObject({ earnedCumulative: "0" });
});

test("what can be taken back is a FINALIZED batch of the contract that is no reversal", async () => {
  const { contractAddress } = await paid();
  const other = await newContract();
  await submit(batchOf(contractAddress, [[1, "1"]], { batchId: "waiting", secondsToFinalize: 3600 }));
  await reverse({ contractAddress, reversalId: "back" });
  await finalize();
  const refused = (contract: string, batchId: string) =>
    reverseBatch(context(), LIMITS, { contractAddress: contract, batchId }).catch((error) => error.code);
  expect(await refused(contractAddress, "waiting")).toBe("batch_not_finalized");
  expect(await refused(contractAddress, "back")).toBe("validation_failed");
  expect(await refused(contractAddress, "none")).toBe("batch_not_found");
  expect(await refused(other, "paid")).toBe("batch_not_found");
});

test("what can be taken back is reported address by address when the batch did not pay it, or it is listed twice", async () => {
  const { contractAddress, a } = await paid();
  await expect(
    reverse({ contractAddress, toAddresses: [a, wallet(1), a.toUpperCase().replace("0X", "0x")] }),
  ).rejects.toMatchObject({
    code: "validation_failed",
    options: {
      errors: [
        { pointer: "/toAddresses/1", code: "invalid_value" },
        { pointer: "/toAddresses/2", code: "duplicate_destination" },
      ],
    },
  });
});

test("repeating a reversal under its ID stores it once, also when all rows are listed; other content is a conflict, a cancelled one is refused", async () => {
  const { contractAddress, a, b } = await paid();
  const input = { contractAddress, reversalId: "back" };
  expect(await reverse(input)).toEqual({ batchId: "back", replayed: false });
  expect(await reverse({ ...input, toAddresses: [b, a] })).toEqual({ batchId: "back", replayed: true });
  for (const other of [{ toAddresses: [a] }, { secondsToFinalize: 60 }])
    await expect(reverse({ ...input, ...other })).rejects.toMatchObject({ code: "batch_id_conflict" });
  await cancelBatch(context(), { contractAddress, batchId: "back" });
  await expect(reverse(input)).rejects.toMatchObject({ code: "batch_cancelled" });
});

test("repeating a reversal under its ID never passes for the payment, nor for the reversal of a batch with the same rows", async () => {
  const { contractAddress, a, b } = await paid();
  const rows = [
    [a, "10.5"],
    [b, "2"],
  ] as const;
  await submit(batchOf(contractAddress, rows, { batchId: "again" }));
  await finalize();
  await reverse({ contractAddress, reversalId: "back" });
  const ofAgain = { contractAddress, batchId: "again", reversalId: "back", secondsToFinalize: 0 };
  for (const taken of [
    () => submit(batchOf(contractAddress, rows, { batchId: "back" })),
    () => reverse({ contractAddress, reversalId: "again" }),
    () => reverseBatch(context(), LIMITS, ofAgain),
  ])
    await expect(taken()).rejects.toMatchObject({ code: "batch_id_conflict" });
});

test("like any other batch, a reversal needs approval from the rule's threshold on, and a rejection releases the recipients", async () => {
  const { contractAddress, a, b } = await paid();
  await setRule(db, contractAddress, { threshold: "10" });
  await reverse({ contractAddress, reversalId: "small", toAddresses: [b] });
  await reverse({ contractAddress, reversalId: "large", toAddresses: [a] });
  await finalize();
  expect(await findBatch(context(), contractAddress, "small")).toMatchObject({ status: "FINALIZED" });
  expect(await findBatch(context(), contractAddress, "large")).toMatchObject({
    status: "PENDING",
    approvalNeed: "THRESHOLD",
  });
  const decision = { contractAddress, batchId: "large", reason: "no" };
  await rejectBatch(context(ANN), decision);
  expect(await balance(a)).toMatchObject({ available: "10.5", pendingSent: "0" });
  await reverse({ contractAddress, reversalId: "again", toAddresses: [a] });
  await approveBatch(context(ANN), { ...decision, batchId: "again" });
  await finalize();
  expect(await balance(a)).toMatchObject({ available: "0", finalizedSentCumulative: "10.5" });
});

test("like any other batch, a reversal waits the default time if none is given, and is audited when a person submits it", async () => {
  const { contractAddress } = await paid();
  const input = { contractAddress, reversalId: "back", secondsToFinalize: undefined };
  await reverse({ ...input, reason: "wrong file" }, ANN);
  const { waitSeconds } = await findBatch(context(), contractAddress, "back");
  expect(waitSeconds).toBe(LIMITS.defaultFinalizeSeconds);
  const [entry] = await db.sql`
      select actor, detail from audit_log where action = 'batch.reverse' and target like ${`%${contractAddress.toLowerCase()}/back`}`;
  expect(entry).toMatchObject({
    actor: ANN,
    detail: { reverses: "paid", points: "12.5", transferCount: 2, reason: "wrong file" },
  });
});

test("the database never lets a stored batch become a reversal, or another's", async () => {
  const { contractAddress } = await paid();
  await reverse({ contractAddress, reversalId: "back", secondsToFinalize: 60 });
  const contract = addressToBytes(contractAddress);
  await submit(batchOf(contractAddress, [[1, "1"]], { batchId: "pays", secondsToFinalize: 60 }));
  for (const change of [
    db.sql`update batches set reverses_seq = 1 where contract_address = ${contract} and id = 'pays'`,
    db.sql`update batches set reverses_seq = null where contract_address = ${contract} and id = 'back'`,
    db.sql`update batches set reversal_reason = 'x' where contract_address = ${contract} and id = 'back'`,
  ])
    await expect(change).rejects.toThrow("illegal change of batch");
});

test("the marks of a batch's transfers read its own rows, however many the contract has", async () => {
  const { contractAddress } = await paid();
  await reverse({ contractAddress, reversalId: "back" });
  const batch = await findBatch(context(), contractAddress, "paid");
  await db.sql`insert into reversed_transfers
    select contract_address, -n, to_address, reversal_seq, points
    from reversed_transfers, generate_series(1, 5000) n`;
  const { result, sent } = await statementsOf(db.url, (sql) => findTakenBack({ ...db, sql }, batch));
  expect(result.size).toBe(2);
  const { text, values } = sent[0]!;
  const nodes = nodesOf(await explain(db, text, values, { analyze: true, avoidSeqScan: true }));
  expect(rowsRead(nodes, ["reversed_transfers", "batches"])).toBeLessThan(100);
  await db.sql`delete from reversed_transfers where batch_seq < 0`;
});
