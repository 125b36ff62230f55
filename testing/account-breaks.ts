import { addressAt, EXCHANGED, type LedgerBreak, repacked, UNDER_ANOTHER_CONTRACT } from "./ledger-break";

/** Credits wallet 1 and debits a contract again, or takes both back. */
const settledTwice = (sign: "+" | "-") =>
  `update accounts set received = received ${sign} 5 where address = decode(lpad('1', 40, '0'), 'hex') and point_type = 'PHASE2_POINTS';
   update accounts set sent = sent ${sign} 5, earned = earned ${sign} 5 where point_type = 'PHASE2_POINTS'
     and address = (select contract_address from batches where id = 'settled' order by contract_address limit 1)`;

/** Breaks the rules about accounts. */
export const ACCOUNT_BREAKS = {
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
