import type { Database } from "@/db/client";

export type Job =
  | "look"
  | "look at batches"
  | "look at approvals"
  | "look at proposals"
  | "look at points"
  | "webhook"
  | "email";

/** Whether this instance may do a job now. If so, no instance may do it again for `seconds`. */
export async function takeTurn({ sql }: Database, job: Job, seconds: number): Promise<boolean> {
  const next = sql`now() + make_interval(secs => ${seconds}::int)`;
  const { count } = await sql`
    insert into alert_jobs as j (name, next_at) values (${job}, ${next})
    on conflict (name) do update set next_at = ${next} where j.next_at <= now() returning 1`;
  return count === 1;
}
