/**
 * The transfers of many packed rows, for statements that read them once and keep none. Unlike a materialized part it stores
 * nothing in between, and Citus runs it on every shard, where such a part would pass through the coordinator.
 *
 * `ADDRESSES_OF` goes into a FROM after `batch_transfers t`. It is an aggregate over one value, which reads once what is stored
 * out of line.
 */
export const ADDRESSES_OF = `cross join lateral (
    select string_agg(v.addresses, ''::bytea) as addresses from (values (t.addresses)) as v (addresses)) as w`;

/** Goes after that, lateral too: `to_address` and `points`. What one of the two columns has too much comes with a null. */
export const TRANSFERS_OF = `(
    select n.points, substring(w.addresses from n.from_byte for 20) as to_address
    from (select unnest(t.points) as points, generate_series(1, length(w.addresses), 20) as from_byte) as n)`;
