/**
 * Unpacks the transfers of many rows, for statements that read them once. Unlike a materialized CTE it stores nothing in
 * between. Citus runs it on every shard, while a materialized CTE would go through the coordinator.
 *
 * `ADDRESSES_OF` goes into a FROM after `batch_transfers t`. It is an aggregate over one value, which detoasts that value
 * only once.
 */
export const ADDRESSES_OF = `cross join lateral (
    select string_agg(v.addresses, ''::bytea) as addresses from (values (t.addresses)) as v (addresses)) as w`;

/** Goes after that, also lateral: `to_address` and `points`. If one column is longer, the other is padded with nulls. */
export const TRANSFERS_OF = `(
    select n.points, substring(w.addresses from n.from_byte for 20) as to_address
    from (select unnest(t.points) as points, generate_series(1, length(w.addresses), 20) as from_byte) as n)`;
