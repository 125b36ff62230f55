/**
 * A way to break a ledger: its name, the SQL that breaks it and the SQL that repairs it. Triggers are off, and constraints are
 * dropped where needed. On Citus, rows move by delete and insert, never by an update of their contract.
 */
export type LedgerBreak = [what: string, breaks: string, repairs: string];

const FIRST_SETTLED = "(select min(seq) from batches where id = 'settled')";

export const UNDER_ANOTHER_CONTRACT: LedgerBreak = [
  "transfers under another contract than their batch",
  `create table lost as select * from batch_transfers where batch_seq = ${FIRST_SETTLED};
   delete from batch_transfers where batch_seq = ${FIRST_SETTLED};
   insert into batch_transfers select batch_seq, decode(repeat('cc', 20), 'hex'), addresses, points from lost`,
  `delete from batch_transfers where contract_address = decode(repeat('cc', 20), 'hex');
   insert into batch_transfers table lost; drop table lost`,
];

/** Changes some rows of a table, then restores them. */
export const changed = (table: string, which: string, change: string): [breaks: string, repairs: string] => [
  `create table lost as select * from ${table} where ${which}; update ${table} set ${change} where ${which}`,
  `delete from ${table} where ${which}; insert into ${table} table lost; drop table lost`,
];

/** Changes the packed rows of one batch per contract, then restores them. */
export const repacked = (id: string, change: string) =>
  changed("batch_transfers", `batch_seq in (select seq from batches where id = '${id}')`, change);

/** Replaces the address at `place`, counted from 0. @param address SQL */
export const addressAt = (place: number, address: string) =>
  `addresses = overlay(addresses placing ${address} from ${place * 20 + 1} for 20)`;

/** Swaps the first two addresses. */
export const EXCHANGED =
  "addresses = substring(addresses from 21 for 20) || substring(addresses from 1 for 20) || substring(addresses from 41)";
