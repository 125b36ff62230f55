import type { Database } from "@/db/client";
import type { LoadCaller } from "./load/load-plan";

interface SeedOptions {
  callers: readonly LoadCaller[];
  batches: number;
  transfersEach: number;
  /** The number of paid wallets; with few, every chunk pays the same ones. */
  recipients: number;
  /** All PENDING and due, for settling; otherwise a month of batches in every state. */
  due: boolean;
}

const STATEMENT_ROWS = 50_000;

/** Stores batches in bulk, spread over months and callers. */
export async function seedBatches({ sql }: Database, options: SeedOptions): Promise<void> {
  const contracts = `{${options.callers.map(({ contractAddress }) => contractAddress.slice(2)).join(",")}}`;
  const amount = sql`1 + i % 997 + i % 100 * 0.01 + 0.001`;
  for (let from = 0; from < options.batches; from += STATEMENT_ROWS) {
    const to = Math.min(from + STATEMENT_ROWS, options.batches);
    await sql`
      with amounts as (
        select array_agg(${amount} order by i)::numeric(38,12)[] as points, sum(${amount}) as total
        from generate_series(0, ${options.transfersEach - 1}::int) as i
      ), drawn as (
        select n, decode((${contracts}::text::text[])[1 + n % ${options.callers.length}::int], 'hex') as contract,
          case when ${options.due} then 'PENDING' else (array['FINALIZED', 'FINALIZED', 'FINALIZED', 'FINALIZED', 'FINALIZED',
            'FINALIZED', 'FINALIZED', 'CANCELLED', 'PENDING', 'PENDING'])[1 + (n / 16) % 10] end::batch_status as status,
          date_trunc('milliseconds', now() - interval '90 days' + n * (interval '89 days' / ${options.batches}::int)) as at
        from generate_series(${from}::int, ${to - 1}::int) as n
      ), stored as (
        insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
          submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at, cancelled_at)
        select contract, 'seed-' || n, case when ${options.due} or (n / 16) % 5 > 0 then 'PHASE2_POINTS' else 'PHASE2_GOLD' end::point_type,
          status, (select total from amounts), ${options.transfersEach}::int, 3600, sha256(n::text::bytea), 'token:seed', '', at,
          case when ${options.due} or status <> 'PENDING' then at + interval '1 hour' else now() + interval '1 hour' end,
          case when status <> 'PENDING' then at + interval '1 hour' end,
          case when status = 'FINALIZED' then at + interval '1 hour' end,
          case when status = 'CANCELLED' then at + interval '1 minute' end
        from drawn order by n
        returning seq, contract_address
      )
      insert into batch_transfers (batch_seq, contract_address, addresses, points)
      select seq, contract_address,
        (select string_agg(substring(sha256(((seq * ${options.transfersEach}::int + i) % ${options.recipients}::int)::text::bytea)
          for 20), '' order by i) from generate_series(0, ${options.transfersEach - 1}::int) as i),
        (select points from amounts)
      from stored order by seq`;
  }
  await sql`
    insert into accounts as a (address, point_type, earned, pending)
    select contract_address, point_type, sum(points), sum(points) from batches where status = 'PENDING' group by 1, 2
    on conflict (address, point_type) do update set earned = a.earned + excluded.earned, pending = a.pending + excluded.pending`;
  await sql`update recipient_progress set created_at = now(), batch_seq = 0`;
  await sql`insert into review_progress (created_at, batch_seq) values (now(), 0) on conflict (singleton) do nothing`;
  await sql`vacuum analyze`;
  await sql`checkpoint`;
}
