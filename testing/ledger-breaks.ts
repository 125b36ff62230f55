import type { LEDGER_RULES } from "@/server/ledger/ledger-rules";
import { shifted } from "./factories";

/**
 * A way to break a ledger: its name, the SQL that breaks it and the SQL that repairs it. Triggers are off, and constraints are
 * dropped where needed. On Citus, rows move by delete and insert, never by an update of their contract.
 */
type LedgerBreak = [what: string, breaks: string, repairs: string];

const FIRST_SETTLED = "(select min(seq) from batches where id = 'settled')";

const UNDER_ANOTHER_CONTRACT: LedgerBreak = [
  "transfers under another contract than their batch",
  `create table lost as select * from batch_transfers where batch_seq = ${FIRST_SETTLED};
   delete from batch_transfers where batch_seq = ${FIRST_SETTLED};
   insert into batch_transfers select batch_seq, decode(repeat('cc', 20), 'hex'), addresses, points from lost`,
  `delete from batch_transfers where contract_address = decode(repeat('cc', 20), 'hex');
   insert into batch_transfers table lost; drop table lost`,
];

/** Changes some rows of a table, then restores them. */
const changed = (table: string, which: string, change: string): [breaks: string, repairs: string] => [
  `create table lost as select * from ${table} where ${which}; update ${table} set ${change} where ${which}`,
  `delete from ${table} where ${which}; insert into ${table} table lost; drop table lost`,
];

/** Changes the packed rows of one batch per contract, then restores them. */
const repacked = (id: string, change: string) =>
  changed("batch_transfers", `batch_seq in (select seq from batches where id = '${id}')`, change);

/** Replaces the address at `place`, counted from 0. @param address SQL */
const addressAt = (place: number, address: string) =>
  `addresses = overlay(addresses placing ${address} from ${place * 20 + 1} for 20)`;

/** Swaps the first two addresses. */
const EXCHANGED =
  "addresses = substring(addresses from 21 for 20) || substring(addresses from 1 for 20) || substring(addresses from 41)";

/** Credits wallet 1 and debits a contract again, or takes both back. */
const settledTwice = (sign: "+" | "-") =>
  `update accounts set received = received ${sign} 5 where address = decode(lpad('1', 40, '0'), 'hex') and point_type = 'PHASE2_POINTS';
   update accounts set sent = sent ${sign} 5, earned = earned ${sign} 5 where point_type = 'PHASE2_POINTS'
     and address = (select contract_address from batches where id = 'settled' order by contract_address limit 1)`;

/** Breaks the rules about accounts. */
const ACCOUNT_BREAKS = {
  sums_balance: [
    [
      "points from nowhere",
      "update accounts set received = received + 1 where address = decode(lpad('1', 40, '0'), 'hex')",
      "update accounts set received = received - 1 where address = decode(lpad('1', 40, '0'), 'hex')",
    ],
  ],
  nothing_negative: [
    [
      "a debit below zero",
      "alter table accounts drop constraint accounts_not_negative, drop constraint accounts_available; update accounts set pending = pending - 100",
      `update accounts set pending = pending + 100;
       alter table accounts add constraint accounts_not_negative check (least(earned, received, sent, pending) >= 0);
       alter table accounts add constraint accounts_available check (earned + received - sent - pending >= 0)`,
    ],
    [
      "more points reserved than available",
      "alter table accounts drop constraint accounts_available; update accounts set pending = pending + 1000000",
      "update accounts set pending = pending - 1000000; alter table accounts add constraint accounts_available check (earned + received - sent - pending >= 0)",
    ],
    [
      "more points sent than available",
      "alter table accounts drop constraint accounts_available; update accounts set sent = sent + 1000000",
      "update accounts set sent = sent - 1000000; alter table accounts add constraint accounts_available check (earned + received - sent - pending >= 0)",
    ],
  ],
  accounts_match_transfers: [
    [
      "swapped credits of two wallets, which no sum shows",
      "update accounts set received = received + case when encode(address, 'hex') like '%1' then 0.25 else -0.25 end where encode(address, 'hex') similar to '0{39}[12]'",
      "update accounts set received = received - case when encode(address, 'hex') like '%1' then 0.25 else -0.25 end where encode(address, 'hex') similar to '0{39}[12]'",
    ],
    ["a transfer that was settled twice, which no sum shows", settledTwice("+"), settledTwice("-")],
    [
      "a reservation that was not released",
      "update accounts set pending = pending + 1, earned = earned + 1 where pending > 0",
      "update accounts set pending = pending - 1, earned = earned - 1 where pending > 0",
    ],
    [
      "points issued without a record",
      "update accounts set earned = earned + 1 where earned > 0",
      "update accounts set earned = earned - 1 where earned > 0",
    ],
    ["a transfer changed after it was settled", ...repacked("settled", "points = array[11.5, 0.25]")],
    [
      "a settled transfer with a wrong address",
      ...repacked("settled", addressAt(1, "decode(lpad('3', 40, '0'), 'hex')")),
    ],
    ["swapped addresses of two settled transfers", ...repacked("settled", EXCHANGED)],
    ["swapped amounts of two settled transfers", ...repacked("settled", "points = array[0.25, 10.5]")],
    [
      "a FINALIZED batch marked CANCELLED",
      "update batches set status = 'CANCELLED', cancelled_at = finalized_at, finalized_at = null where id = 'settled'",
      "update batches set status = 'FINALIZED', finalized_at = cancelled_at, cancelled_at = null where id = 'settled'",
    ],
    [
      "an account without any transfer",
      "insert into accounts (address, point_type, received) values (decode(repeat('ee', 20), 'hex'), 'PHASE2_POINTS', 1)",
      "delete from accounts where address = decode(repeat('ee', 20), 'hex')",
    ],
    [
      "a missing account",
      "create table lost as select * from accounts where address = decode(lpad('2', 40, '0'), 'hex'); delete from accounts where address = decode(lpad('2', 40, '0'), 'hex')",
      "insert into accounts table lost; drop table lost",
    ],
    UNDER_ANOTHER_CONTRACT,
  ],
  contracts_have_accounts: [
    [
      "a contract without an account",
      "delete from accounts where point_type = 'PHASE2_GOLD'",
      "insert into accounts (address, point_type) select address, 'PHASE2_GOLD' from contracts",
    ],
    [
      "one of several contracts without an account",
      "delete from accounts where point_type = 'PHASE2_GOLD' and address = (select address from contracts order by address limit 1)",
      "insert into accounts (address, point_type) select address, 'PHASE2_GOLD' from contracts order by address limit 1",
    ],
  ],
} satisfies Record<string, LedgerBreak[]>;

const WITH_PAIRS =
  "alter table batch_transfers add constraint batch_transfers_pairs check (octet_length(addresses) = 20 * cardinality(points))";

const CLAIMED_AND_WAITING = "batch_seq in (select seq from batches where id in ('claimed', 'waiting'))";

/** Breaks each rule. */
export const LEDGER_BREAKS: Record<keyof typeof LEDGER_RULES, LedgerBreak[]> = {
  ...ACCOUNT_BREAKS,
  batches_match_transfers: [
    UNDER_ANOTHER_CONTRACT,
    [
      "a total that is not the sum",
      "update batches set points = points + 1 where id = 'given-back'",
      "update batches set points = points - 1 where id = 'given-back'",
    ],
    [
      "a count that is not the number of rows",
      "update batches set transfer_count = 3 where id = 'given-back'",
      "update batches set transfer_count = 2 where id = 'given-back'",
    ],
    [
      "a transfer beyond the batch's count",
      ...repacked(
        "given-back",
        "addresses = addresses || decode(repeat('dd', 20), 'hex'), points = points || 1.0",
      ),
    ],
    [
      "a missing transfer",
      ...repacked("given-back", "addresses = substring(addresses from 1 for 20), points = array[10.75]"),
    ],
    [
      "an amount without an address",
      `alter table batch_transfers drop constraint batch_transfers_pairs; ${repacked("waiting", "addresses = substring(addresses from 1 for 20)")[0]}`,
      `${repacked("waiting", "")[1]}; ${WITH_PAIRS}`,
    ],
    [
      "an address without an amount",
      `alter table batch_transfers drop constraint batch_transfers_pairs;
       ${repacked("waiting", "addresses = addresses || decode(repeat('dd', 20), 'hex')")[0]}`,
      `${repacked("waiting", "")[1]}; ${WITH_PAIRS}`,
    ],
    ["a duplicate recipient", ...repacked("given-back", addressAt(1, "decode(lpad('1', 40, '0'), 'hex')"))],
    ["the sending contract itself", ...repacked("waiting", addressAt(1, "contract_address"))],
    ["amounts that do not add up to the total", ...repacked("claimed", "points = array[3]")],
    [
      "a ledger that lost its transfers",
      "create table lost as table batch_transfers; delete from batch_transfers",
      "insert into batch_transfers table lost; drop table lost",
    ],
    [
      "a batch that lost its packed row",
      "create table lost as select * from batch_transfers where batch_seq in (select seq from batches where id = 'given-back'); delete from batch_transfers where batch_seq in (select seq from batches where id = 'given-back')",
      "insert into batch_transfers table lost; drop table lost",
    ],
    [
      "swapped packed rows of two batches of a contract",
      `create table lost as select t.*, b.id from batch_transfers t
         join batches b on b.seq = t.batch_seq and b.contract_address = t.contract_address where b.id in ('claimed', 'waiting');
       delete from batch_transfers where ${CLAIMED_AND_WAITING};
       insert into batch_transfers select o.batch_seq, l.contract_address, l.addresses, l.points
       from lost l join lost o on o.contract_address = l.contract_address and o.id <> l.id`,
      `delete from batch_transfers where ${CLAIMED_AND_WAITING};
       insert into batch_transfers select batch_seq, contract_address, addresses, points from lost; drop table lost`,
    ],
  ],
  no_stray_transfers: [
    UNDER_ANOTHER_CONTRACT,
    [
      "transfers without a batch, of a contract that has batches",
      "insert into batch_transfers select 99999, contract_address, decode(repeat('dd', 20), 'hex'), array[1] from batches where id = 'settled' limit 1",
      "delete from batch_transfers where batch_seq = 99999",
    ],
    [
      "transfers without a batch",
      "insert into batch_transfers values (99999, decode(repeat('cc', 20), 'hex'), decode(repeat('dd', 20), 'hex'), array[1])",
      "delete from batch_transfers where batch_seq = 99999",
    ],
  ],
  batch_ids_unique: [
    [
      "the same id twice",
      "alter table batches drop constraint batches_id; update batches set id = 'settled' where id = 'given-back'",
      "update batches set id = 'given-back' where status = 'CANCELLED' and id = 'settled'; alter table batches add constraint batches_id unique (contract_address, id)",
    ],
  ],
  approvals_given: [
    [
      "a FINALIZED batch that needed approval and has none",
      "alter table batches drop constraint if exists batches_awaits_approval; update batches set approval_need = 'THRESHOLD' where id = 'settled'",
      "update batches set approval_need = null where id = 'settled'",
    ],
    [
      "a FINALIZED batch approved by its submitter",
      `alter table batches drop constraint if exists batches_second_person;
       update batches set approval_need = 'THRESHOLD', approved_at = created_at, approved_by = submitted_by where id = 'settled'`,
      "update batches set approval_need = null, approved_at = null, approved_by = null where id = 'settled'",
    ],
  ],
  status_times_fit: [
    [
      "a FINALIZED batch without its time",
      "alter table batches drop constraint if exists batches_status_times; update batches set cancelled_at = now() where id = 'settled'",
      "update batches set cancelled_at = null where id = 'settled'",
    ],
    [
      "a changed due time",
      `update batches set finalize_at = ${shifted("finalize_at", 3600)} where id = 'waiting'`,
      `update batches set finalize_at = ${shifted("finalize_at", -3600)} where id = 'waiting'`,
    ],
    [
      "settled before it was due",
      `update batches set finalized_at = ${shifted("finalize_at", -1)}, updated_at = finalize_at where id = 'settled'`,
      "update batches set finalized_at = finalize_at where id = 'settled'",
    ],
    [
      "a CANCELLED batch without its time",
      "alter table batches drop constraint if exists batches_status_times; update batches set cancelled_at = null where id = 'given-back'",
      "update batches set cancelled_at = updated_at where id = 'given-back'",
    ],
    [
      "a FINALIZED batch with a lease",
      "alter table batches drop constraint if exists batches_status_times; update batches set lease_until = now() where id = 'settled'",
      "update batches set lease_until = null where id = 'settled'",
    ],
    [
      "a PENDING batch with a change time",
      "alter table batches drop constraint if exists batches_status_times; update batches set updated_at = now() where id = 'waiting'",
      "update batches set updated_at = null where id = 'waiting'",
    ],
    [
      "a FINALIZED batch without a claim",
      "update batches set claim_id = null where id = 'settled'",
      "update batches set claim_id = '00000000-0000-0000-0000-000000000001' where id = 'settled'",
    ],
    [
      "a FINALIZED batch without a claim time",
      "update batches set claimed_at = null where id = 'settled'",
      "update batches set claimed_at = finalize_at where id = 'settled'",
    ],
    [
      "cancelled before it was created",
      `update batches set cancelled_at = ${shifted("created_at", -1)} where id = 'given-back'`,
      // The same instant is valid.
      "update batches set cancelled_at = created_at where id = 'given-back'",
    ],
  ],
  issuances_have_origin: [
    [
      "an issuance without its batch",
      "update issuances set batch_seq = batch_seq + 1000 where batch_seq is not null",
      "update issuances set batch_seq = batch_seq - 1000 where batch_seq is not null",
    ],
    [
      "an issuance recorded twice",
      "insert into issuances (contract_address, point_type, points, batch_seq) select contract_address, point_type, points, batch_seq from issuances where batch_seq is not null",
      "delete from issuances where id in (select max(id) from issuances where batch_seq is not null group by contract_address, batch_seq having count(*) > 1)",
    ],
    [
      "an issuance of another type than its batch",
      "update issuances set point_type = 'PHASE2_GOLD' where batch_seq is not null",
      "update issuances set point_type = 'PHASE2_POINTS' where batch_seq is not null",
    ],
    [
      "an issuance of more than its batch",
      "update issuances set points = points + 100 where batch_seq is not null",
      "update issuances set points = points - 100 where batch_seq is not null",
    ],
  ],
  reversals_match: [
    [
      "transfers taken back that are not marked, so that they could be taken back again",
      "create table lost as table reversed_transfers; delete from reversed_transfers",
      "insert into reversed_transfers table lost; drop table lost",
    ],
    [
      "a transfer that a cancelled reversal left marked",
      "insert into reversed_transfers select contract_address, reverses_seq, decode(repeat('dd', 20), 'hex'), seq, 1 from batches where id = 'kept'",
      "delete from reversed_transfers where to_address = decode(repeat('dd', 20), 'hex')",
    ],
    [
      "a transfer marked with another amount",
      "update reversed_transfers set points = points + 1",
      "update reversed_transfers set points = points - 1",
    ],
    ["another amount than was paid", ...repacked("taking-back", "points = array[2.25]")],
    [
      "a recipient that the batch did not pay",
      ...repacked("taking-back", addressAt(0, "decode(repeat('dd', 20), 'hex')")),
    ],
    [
      "a reversal of another batch",
      "update batches set reverses_seq = reverses_seq - 1 where id = 'taken-back'",
      "update batches set reverses_seq = reverses_seq + 1 where id = 'taken-back'",
    ],
    [
      "a finalized reversal that claims to be a payment",
      "update batches set reverses_seq = null where id = 'taken-back'",
      `update batches b set reverses_seq = r.batch_seq from reversed_transfers r
       where r.contract_address = b.contract_address and r.reversal_seq = b.seq and b.id = 'taken-back'`,
    ],
  ],
  no_stray_marks: [
    [
      "a transfer marked for a reversal that does not exist",
      "insert into reversed_transfers select contract_address, seq, decode(repeat('dd', 20), 'hex'), 99999, 1 from batches where id = 'paid'",
      "delete from reversed_transfers where reversal_seq = 99999",
    ],
  ],
  recipients_match_transfers: [
    [
      "a missing indexed row",
      "create table lost as select * from recipient_transfers where to_address = decode(lpad('4', 40, '0'), 'hex'); delete from recipient_transfers where to_address = decode(lpad('4', 40, '0'), 'hex')",
      "insert into recipient_transfers table lost; drop table lost",
    ],
    [
      "an indexed row without a transfer",
      "insert into recipient_transfers values (decode(repeat('dd', 20), 'hex'), now(), 1, decode(repeat('cc', 20), 'hex'), 1)",
      "delete from recipient_transfers where to_address = decode(repeat('dd', 20), 'hex')",
    ],
    [
      "progress beyond what was copied",
      "create table lost as table recipient_transfers; delete from recipient_transfers",
      "insert into recipient_transfers table lost; drop table lost",
    ],
    [
      "an indexed row with another amount",
      "update recipient_transfers set points = points + 1",
      "update recipient_transfers set points = points - 1",
    ],
    [
      "an indexed row with another time",
      ...changed(
        "recipient_transfers",
        "to_address = decode(lpad('4', 40, '0'), 'hex')",
        "created_at = to_timestamp(0)",
      ),
    ],
    [
      "an indexed transfer with a wrong address",
      ...repacked("claimed", addressAt(0, "decode(repeat('dd', 20), 'hex')")),
    ],
    ["swapped addresses of two indexed transfers", ...repacked("waiting", EXCHANGED)],
  ],
};
