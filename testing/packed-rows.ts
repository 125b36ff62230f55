/**
 * An insert into `batch_transfers` from one row per transfer.
 * @param rows a select of `batch_seq, contract_address, position, to_address, points`
 */
export const packedRows = (rows: string): string => `
  insert into batch_transfers (batch_seq, contract_address, addresses, points)
  select batch_seq, contract_address, string_agg(to_address, ''::bytea order by position),
    array_agg(points order by position)
  from (${rows}) as transfers group by batch_seq, contract_address`;

/**
 * Every stored transfer as a row: `batch_seq, contract_address, position` from 0, `to_address, points`. Tests use this and not
 * the service's SQL, so that an error in one shows in the other.
 */
export const TRANSFER_ROWS = `
  (select t.batch_seq, t.contract_address, u.position - 1 as position,
    substring(t.addresses from u.position::int * 20 - 19 for 20) as to_address, u.points
  from batch_transfers t, unnest(t.points) with ordinality as u (points, position))`;
