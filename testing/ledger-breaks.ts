import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { indexRecipients } from "@/server/ledger/index-recipients";
import { grantPoints } from "@/server/ledger/issuances";
import type { LEDGER_RULES } from "@/server/ledger/ledger-rules";
import {
  batchOf,
  finalize,
  LIMITS,
  newContract,
  shifted,
  submit,
  testContext,
  wallet,
  withoutTriggers,
} from "./factories";
import type { TestDatabase } from "./test-database";

/** The SQL of an address: `wallet(1)` of the factories, or a byte repeated. */
const walletOf = (number: number) => `decode(lpad('${number}', 40, '0'), 'hex')`;
const repeated = (byte: string) => `decode(repeat('${byte}', 20), 'hex')`;

const batches = (id: string, change: string) => `update batches set ${change} where id = '${id}'`;
/** Changes the packed rows of one batch per contract. */
const packed = (id: string, change: string) =>
  `update batch_transfers set ${change} where batch_seq in (select seq from batches where id = '${id}')`;
/** Replaces the address at `place`, counted from 0. @param address SQL */
const addressAt = (place: number, address: string) =>
  `addresses = overlay(addresses placing ${address} from ${place * 20 + 1} for 20)`;
const SWAPPED =
  "addresses = substring(addresses from 21 for 20) || substring(addresses from 1 for 20) " +
  "|| substring(addresses from 41)";
const ONE_MORE = `addresses = addresses || ${repeated("dd")}`;
const LACKS_CONTRACT = "delete from accounts where point_type = 'PHASE2_GOLD'";
/** Of transfers that no batch has. */
const stray = (contract: string) =>
  `insert into batch_transfers select 99999, ${contract}, ${repeated("dd")}, array[1]
   from batches where id = 'settled' limit 1`;
const UNDER_ANOTHER_CONTRACT = `
  update batch_transfers set contract_address = ${repeated("cc")}
  where batch_seq = (select min(seq) from batches where id = 'settled')`;

/** Ways to break the ledger of `storeOrderedLedger`, by the rule that must notice. */
export const LEDGER_BREAKS: Record<keyof typeof LEDGER_RULES, Record<string, string>> = {
  sums_balance: {
    "points from nowhere": `update accounts set received = received + 1 where address = ${walletOf(1)}`,
  },
  nothing_negative: {
    "a debit below zero": "update accounts set pending = pending - 100",
    "more points reserved than available": "update accounts set pending = pending + 1000000",
    "more points sent than available": "update accounts set sent = sent + 1000000",
  },
  accounts_match_transfers: {
    "swapped credits of two wallets, which no sum shows": `
      update accounts set received = received + case when address = ${walletOf(1)} then 0.25 else -0.25 end
      where address in (${walletOf(1)}, ${walletOf(2)})`,
    "a transfer that was settled twice, which no sum shows": `
      update accounts set received = received + 5
      where address = ${walletOf(1)} and point_type = 'PHASE2_POINTS';
      update accounts set sent = sent + 5, earned = earned + 5 where point_type = 'PHASE2_POINTS'
        and address = (
          select contract_address from batches where id = 'settled' order by contract_address limit 1)`,
    "a reservation that was not released":
      "update accounts set pending = pending + 1, earned = earned + 1 where pending > 0",
    "points issued without a record": "update accounts set earned = earned + 1 where earned > 0",
    "swapped addresses of two settled transfers": packed("settled", SWAPPED),
    "swapped amounts of two settled transfers": packed("settled", "points = array[0.25, 10.5]"),
    "a FINALIZED batch marked CANCELLED": batches(
      "settled",
      "status = 'CANCELLED', cancelled_at = finalized_at, finalized_at = null",
    ),
    "an account without any transfer": `
      insert into accounts (address, point_type, received) values (${repeated("ee")}, 'PHASE2_POINTS', 1)`,
    "a missing account": `delete from accounts where address = ${walletOf(2)}`,
    "transfers under another contract than their batch": UNDER_ANOTHER_CONTRACT,
  },
  contracts_have_accounts: {
    "contracts without an account": LACKS_CONTRACT,
    "one of several contracts without an account": `${LACKS_CONTRACT}
      and address = (select address from contracts order by address limit 1)`,
  },
  batches_match_transfers: {
    "transfers under another contract than their batch": UNDER_ANOTHER_CONTRACT,
    "a total that is not the sum": batches("given-back", "points = points + 1"),
    "a count that is not the number of rows": batches("given-back", "transfer_count = 3"),
    "a transfer beyond the batch's count": packed("given-back", `${ONE_MORE}, points = points || 1.0`),
    "an amount without an address": packed("waiting", "addresses = substring(addresses from 1 for 20)"),
    "an address without an amount": packed("waiting", ONE_MORE),
    "a duplicate recipient": packed("given-back", addressAt(1, walletOf(1))),
    "the sending contract itself": packed("waiting", addressAt(1, "contract_address")),
    "a batch that lost its packed row":
      "delete from batch_transfers where batch_seq in (select seq from batches where id = 'given-back')",
    "swapped packed rows of two batches of a contract": `
      update batch_transfers t set addresses = o.addresses, points = o.points
      from batches b, batches other, batch_transfers o
      where b.seq = t.batch_seq and other.contract_address = b.contract_address and o.batch_seq = other.seq
        and (b.id, other.id) in (('claimed', 'waiting'), ('waiting', 'claimed'))`,
  },
  no_stray_transfers: {
    "transfers under another contract than their batch": UNDER_ANOTHER_CONTRACT,
    "transfers without a batch, of a contract that has batches": stray("contract_address"),
    "transfers without a batch": stray(repeated("cc")),
  },
  batch_ids_unique: { "the same id twice": batches("given-back", "id = 'settled'") },
  approvals_given: {
    "a FINALIZED batch that needed approval and has none": batches("settled", "approval_need = 'THRESHOLD'"),
    "a FINALIZED batch approved by its submitter": batches(
      "settled",
      "approval_need = 'THRESHOLD', approved_at = created_at, approved_by = submitted_by",
    ),
  },
  status_times_fit: {
    "a FINALIZED batch that was cancelled": batches("settled", "cancelled_at = now()"),
    "a changed due time": batches("waiting", `finalize_at = ${shifted("finalize_at", 3600)}`),
    "settled before it was due": batches("settled", `finalized_at = ${shifted("finalize_at", -1)}`),
    "a CANCELLED batch without its time": batches("given-back", "cancelled_at = null"),
    "a FINALIZED batch with a lease": batches("settled", "lease_until = now()"),
    "a PENDING batch with a change time": batches("waiting", "updated_at = now()"),
    "a FINALIZED batch without a claim": batches("settled", "claim_id = null"),
    "a FINALIZED batch without a claim time": batches("settled", "claimed_at = null"),
    "cancelled before it was created": batches("given-back", `cancelled_at = ${shifted("created_at", -1)}`),
  },
  issuances_have_origin: {
    "an issuance without its batch":
      "update issuances set batch_seq = batch_seq + 1000 where batch_seq is not null",
    "an issuance recorded twice": `insert into issuances (contract_address, point_type, points, batch_seq)
       select contract_address, point_type, points, batch_seq from issuances where batch_seq is not null`,
    "an issuance of another type than its batch":
      "update issuances set point_type = 'PHASE2_GOLD' where batch_seq is not null",
    "an issuance of more than its batch":
      "update issuances set points = points + 100 where batch_seq is not null",
  },
  reversals_match: {
    "transfers taken back that are not marked, so that they could be taken back again":
      "delete from reversed_transfers",
    "a transfer that a cancelled reversal left marked": `
      insert into reversed_transfers select contract_address, reverses_seq, ${repeated("dd")}, seq, 1
      from batches where id = 'kept'`,
    "a transfer marked with another amount": "update reversed_transfers set points = points + 1",
    "another amount than was paid": packed("taking-back", "points = array[2.25]"),
    "a recipient that the batch did not pay": packed("taking-back", addressAt(0, repeated("dd"))),
    "a reversal of another batch": batches("taken-back", "reverses_seq = reverses_seq - 1"),
    "a finalized reversal that claims to be a payment": batches("taken-back", "reverses_seq = null"),
  },
  no_stray_marks: {
    "a transfer marked for a reversal that does not exist": `
      insert into reversed_transfers select contract_address, seq, ${repeated("dd")}, 99999, 1
      from batches where id = 'paid'`,
  },
  recipients_match_transfers: {
    "a missing indexed row": `delete from recipient_transfers where to_address = ${walletOf(4)}`,
    "an indexed row without a transfer": `
      insert into recipient_transfers values (${repeated("dd")}, now(), 1, ${repeated("cc")}, 1)`,
    "progress beyond what was copied": "delete from recipient_transfers",
    "an indexed row with another amount": "update recipient_transfers set points = points + 1",
    "an indexed row with another time": `
      update recipient_transfers set created_at = to_timestamp(0) where to_address = ${walletOf(4)}`,
    "swapped addresses of two indexed transfers": packed("waiting", SWAPPED),
  },
};

const TABLES = [
  "accounts",
  "batches",
  "batch_transfers",
  "issuances",
  "recipient_transfers",
  "reversed_transfers",
];
/** Those that would notice before the rules do. */
const CONSTRAINTS =
  "^(accounts_(not_negative|available)|batch_transfers_pairs|" +
  "batches_(awaits_approval|second_person|status_times))$";

/** Breaks a ledger, with triggers and constraints off. @returns what restores it */
export async function breakLedger(db: Database, breaking: string): Promise<() => Promise<void>> {
  const inTheWay = await db.sql<{ drop: string; add: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s',
        conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint where conrelid = any(${TABLES}::regclass[]) and conname ~ ${CONSTRAINTS}
    union all
    select 'drop index ' || indexname, indexdef from pg_indexes where indexname = 'batches_id_once'`;
  await withoutTriggers(
    db,
    [
      ...TABLES.map((table) => `create table lost_${table} as table ${table}`),
      ...inTheWay.map(({ drop }) => drop),
      breaking,
    ].join(";"),
  );
  return () =>
    withoutTriggers(
      db,
      [
        ...TABLES.flatMap((table) => [
          `delete from ${table}`,
          `insert into ${table} overriding system value table lost_${table}`,
          `drop table lost_${table}`,
        ]),
        ...inTheWay.map(({ add }) => add),
      ].join(";"),
    );
}

/** Waits, so that later batches have another millisecond. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

/**
 * A balanced ledger with a batch of every state (`settled`, `given-back`, `claimed`, `waiting`), of an
 * ON_DEMAND contract and of one that was granted points twice, and a batch (`fresh`) that is not in the index
 * by recipient yet. One batch (`paid`) is taken back: a row by a finalized reversal (`taken-back`), a row by
 * a pending one (`taking-back`); another reversal was cancelled (`kept`).
 */
export async function storeOrderedLedger(db: TestDatabase): Promise<{ onDemand: string; funded: string }> {
  const onDemand = await newContract(db);
  const funded = await newContract(db, { issuance: "PREFUNDED", granted: "1000" });
  await grantPoints(testContext(db), { contractAddress: funded, pointType: "PHASE2_POINTS", points: "5" });
  const send = async (batchId: string, rows: [number, string][], secondsToFinalize = 0) => {
    for (const sender of [onDemand, funded])
      await submit(db, batchOf(sender, rows, { batchId, secondsToFinalize }));
  };
  const settled: [number, string][] = [
    [1, "10.5"],
    [2, "0.25"],
  ];
  await send("settled", settled);
  await send("given-back", settled);
  for (const contractAddress of [onDemand, funded])
    await cancelBatch(testContext(db), { contractAddress, batchId: "given-back" });
  await send("paid", [
    [6, "4"],
    [7, "2.5"],
  ]);
  await finalize(db);
  const takeBack = async (reversalId: string, to: number, secondsToFinalize = 0) => {
    for (const contractAddress of [onDemand, funded]) {
      const input = {
        contractAddress,
        batchId: "paid",
        toAddresses: [wallet(to)],
        reversalId,
        secondsToFinalize,
      };
      await reverseBatch(testContext(db), LIMITS, input);
    }
  };
  await takeBack("taken-back", 6);
  await finalize(db);
  await takeBack("kept", 7, 3600);
  for (const contractAddress of [onDemand, funded])
    await cancelBatch(testContext(db), { contractAddress, batchId: "kept" });
  await takeBack("taking-back", 7, 3600);
  await send("claimed", [[4, "2"]]);
  await claimDueBatches(db, randomUUID());
  const waiting: [number, string][] = [
    [1, "7"],
    [3, "0.01"],
  ];
  await send("waiting", waiting, 3600);
  await pause();
  await indexRecipients(db);
  await pause();
  await send("fresh", [[5, "3"]], 3600);
  return { onDemand, funded };
}
