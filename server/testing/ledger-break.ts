/**
 * A fault of a ledger in words, what breaks it, and what mends it. The statements run without triggers; constraints are
 * dropped where they would refuse.
 */
export type LedgerBreak = [what: string, breaks: string, mends: string];

export const UNDER_ANOTHER_CONTRACT: LedgerBreak = [
  "rows under another contract than their batch",
  "update transfers set contract_address = decode(repeat('cc', 20), 'hex') where batch_seq = (select min(seq) from batches where id = 'settled')",
  "update transfers t set contract_address = b.contract_address from batches b where b.seq = t.batch_seq",
];
