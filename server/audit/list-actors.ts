import type { ServiceContext } from "../kernel/context";

const ACTORS_MAX = 200;

/** All actors in the audit log, by name. Skips from actor to actor along the index, since the log may be long. */
export async function listActors(ctx: ServiceContext): Promise<string[]> {
  const rows = await ctx.db.sql<{ actor: string }[]>`
    with recursive actors as (
      (select actor from audit_log order by actor limit 1)
      union all
      select (select l.actor from audit_log l where l.actor > a.actor order by l.actor limit 1)
      from actors a where a.actor is not null
    )
    select actor from actors where actor is not null limit ${ACTORS_MAX}`;
  return rows.map(({ actor }) => actor);
}
