import type { Sql, TransactionSql } from "postgres";

/**
 * What the service asks for in every session, because a database or a role may set it otherwise. The settings
 * up to `quote_all_identifiers` decide how Postgres writes what the service reads, and the others what a
 * statement means. Every role may set them.
 */
export const SESSION_SETTINGS = {
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  quote_all_identifiers: "off",
  array_nulls: "on",
  default_transaction_isolation: "read committed",
  search_path: "public",
  standard_conforming_strings: "on",
  transform_null_equals: "off",
} as const;

/**
 * Sent once per connection: `on` at connect would weaken `remote_apply`. Only with `off` is a commit answered
 * before it is on disk, where a crash of Postgres loses it.
 */
export const ASK_TO_COMMIT = `select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') = 'off'`;

type Name = keyof typeof SESSION_SETTINGS;

/** Other values that mean the same to the service, some of them Postgres' defaults. */
const AS_GOOD: Partial<Record<Name, RegExp>> = {
  DateStyle: /^ISO,/,
  TimeZone: /^(?:Etc\/)?(?:UTC|UCT|GMT|Universal|Zulu)$/i,
  extra_float_digits: /^[123]$/,
  search_path: /^(?:"\$user", *)?"?public"?(?:,|$)/,
};

/**
 * For one transaction: the one way to say how long its statements may take, in milliseconds. A setting that
 * this version of Postgres does not have is left out.
 */
export const askFor = (tx: TransactionSql, settings: Record<string, string | number>) => tx`
  select set_config(name, value, true)
  from unnest(${Object.keys(settings)}::text[], ${Object.values(settings).map(String)}::text[])
    as asked (name, value)
  where current_setting(name, true) is not null`;

/** Where a pooler or a migration could not ask at connect. */
export const askForSettings = (tx: TransactionSql) => askFor(tx, SESSION_SETTINGS);

const LIMITS = ["statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"];

/** So that a process that was frozen or killed keeps no lock for longer. 0 is no limit. */
export const withTimeLimit = (tx: TransactionSql, seconds: number) =>
  askFor(tx, Object.fromEntries(LIMITS.map((name) => [name, seconds * 1000])));

/** However large a table is, and however slow its reader. */
export const withoutTimeLimits = (tx: TransactionSql) => withTimeLimit(tx, 0);

/** Postgres then refuses to read a table of which policies hide rows from the role. */
export const withEveryRow = (tx: TransactionSql) => askFor(tx, { row_security: "off" });

/** Settings that differ from what the service asks for, each with the statement that sets it for the role. */
export async function wrongSessionSettings(sql: Sql): Promise<{ is: string; statement: string }[]> {
  const rows = await sql<{ name: Name; value: string; scope: string }[]>`
    select name, current_setting(name) as value,
      format('alter role %I in database %I', session_user, current_database()) as scope
    from unnest(${Object.keys(SESSION_SETTINGS)}::text[]) as name`;
  return rows
    .filter(({ name, value }) => value !== SESSION_SETTINGS[name] && !AS_GOOD[name]?.test(value))
    .map(({ name, value, scope }) => ({
      is: `${name} is ${value}`,
      statement: `${scope} set ${name} = '${SESSION_SETTINGS[name]}'`,
    }));
}
