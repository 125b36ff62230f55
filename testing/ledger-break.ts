/**
 * A fault of a ledger in words, what breaks it, and what repairs it. The statements run without triggers; constraints are
 * dropped where they would refuse. They run on Citus too: rows move by delete and insert, never by an update of their contract.
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

/** Changes some rows of a table, and puts them back. */
export const changed = (table: string, which: string, change: string): [breaks: string, repairs: string] => [
  `create table lost as select * from ${table} where ${which}; update ${table} set ${change} where ${which}`,
  `delete from ${table} where ${which}; insert into ${table} table lost; drop table lost`,
];

/** Changes the packed rows of a batch of each contract, and puts them back. */
export const repacked = (id: string, change: string) =>
  changed("batch_transfers", `batch_seq in (select seq from batches where id = '${id}')`, change);

/** The addresses with another one at a place, the first is 0. @param address SQL */
export const addressAt = (place: number, address: string) =>
  `addresses = overlay(addresses placing ${address} from ${place * 20 + 1} for 20)`;

/** The addresses with the first two exchanged. */
export const EXCHANGED =
  "addresses = substring(addresses from 21 for 20) || substring(addresses from 1 for 20) || substring(addresses from 41)";
