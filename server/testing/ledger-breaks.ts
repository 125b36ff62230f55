import type { LEDGER_RULES } from "../ledger/ledger-rules";
import { ACCOUNT_BREAKS } from "./account-breaks";
import { type LedgerBreak, UNDER_ANOTHER_CONTRACT } from "./ledger-break";

/** What breaks each rule. */
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
      "a gap in the positions",
      "update transfers set position = 5 where position = 1",
      "update transfers set position = 1 where position = 5",
    ],
    [
      "a destination that comes twice",
      "update transfers set to_address = decode(lpad('1', 40, '0'), 'hex') where position = 1 and points = 0.25",
      "update transfers set to_address = decode(lpad('2', 40, '0'), 'hex') where position = 1 and points = 0.25",
    ],
    [
      "the zero address",
      "update transfers set to_address = decode(repeat('00', 20), 'hex') where points = 0.01",
      "update transfers set to_address = decode(lpad('3', 40, '0'), 'hex') where points = 0.01",
    ],
    [
      "a batch that lost its rows",
      "create table lost as table transfers; delete from transfers",
      "insert into transfers table lost; drop table lost",
    ],
    [
      "the sending contract itself",
      "update transfers set to_address = contract_address where points = 0.01",
      "update transfers set to_address = decode(lpad('3', 40, '0'), 'hex') where points = 0.01",
    ],
  ],
  no_stray_transfers: [
    UNDER_ANOTHER_CONTRACT,
    [
      "a row whose batch does not exist, of a contract that has others",
      "insert into transfers select 99999, contract_address, 0, decode(repeat('dd', 20), 'hex'), 1 from batches where id = 'settled' limit 1",
      "delete from transfers where batch_seq = 99999",
    ],
    [
      "a row whose batch does not exist",
      "insert into transfers values (99999, decode(repeat('cc', 20), 'hex'), 0, decode(repeat('dd', 20), 'hex'), 1)",
      "delete from transfers where batch_seq = 99999",
    ],
  ],
  batch_ids_unique: [
    [
      "one id twice",
      "alter table batches drop constraint batches_id; update batches set id = 'settled' where id = 'given-back'",
      "update batches set id = 'given-back' where status = 'CANCELLED'; alter table batches add constraint batches_id unique (contract_address, id)",
    ],
  ],
  status_times_fit: [
    [
      "a FINALIZED batch without its time",
      "alter table batches drop constraint if exists batches_status_times; update batches set cancelled_at = now() where id = 'settled'",
      "update batches set cancelled_at = null where id = 'settled'",
    ],
    [
      "a due time that moved",
      "update batches set finalize_at = finalize_at + interval '1 hour' where id = 'waiting'",
      "update batches set finalize_at = finalize_at - interval '1 hour' where id = 'waiting'",
    ],
    [
      "settled before it was due",
      "update batches set finalized_at = finalize_at - interval '1 second', updated_at = finalize_at where id = 'settled'",
      "update batches set finalized_at = finalize_at where id = 'settled'",
    ],
    [
      "a CANCELLED batch without its time",
      "alter table batches drop constraint if exists batches_status_times; update batches set cancelled_at = null where id = 'given-back'",
      "update batches set cancelled_at = updated_at where id = 'given-back'",
    ],
    [
      "a lease that a FINALIZED batch kept",
      "alter table batches drop constraint if exists batches_status_times; update batches set lease_until = now() where id = 'settled'",
      "update batches set lease_until = null where id = 'settled'",
    ],
    [
      "a PENDING batch that says it changed",
      "alter table batches drop constraint if exists batches_status_times; update batches set updated_at = now() where id = 'waiting'",
      "update batches set updated_at = null where id = 'waiting'",
    ],
    [
      "a FINALIZED batch that nobody claimed",
      "update batches set claim_id = null where id = 'settled'",
      "update batches set claim_id = gen_random_uuid() where id = 'settled'",
    ],
    [
      "a FINALIZED batch claimed at no time",
      "update batches set claimed_at = null where id = 'settled'",
      "update batches set claimed_at = finalize_at where id = 'settled'",
    ],
    [
      "cancelled before it was made",
      "update batches set cancelled_at = created_at - interval '1 second' where id = 'given-back'",
      // At the same instant is in order.
      "update batches set cancelled_at = created_at where id = 'given-back'",
    ],
  ],
  issuances_have_origin: [
    [
      "an issuance of no batch",
      "update issuances set batch_seq = batch_seq + 1000 where batch_seq is not null",
      "update issuances set batch_seq = batch_seq - 1000 where batch_seq is not null",
    ],
    [
      "an issuance recorded twice",
      "insert into issuances (contract_address, point_type, points, batch_seq) select contract_address, point_type, points, batch_seq from issuances where batch_seq is not null",
      "delete from issuances a using issuances b where a.batch_seq = b.batch_seq and a.id > b.id",
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
  recipients_match_transfers: [
    [
      "an indexed row that is missing",
      "create table lost as select * from recipient_transfers limit 1; delete from recipient_transfers r using lost l where (r.to_address, r.batch_seq) = (l.to_address, l.batch_seq)",
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
      "an indexed row of another amount",
      "update recipient_transfers set points = points + 1",
      "update recipient_transfers set points = points - 1",
    ],
  ],
};
