import type { Sql, TransactionSql } from "postgres";
import type { StaffRole } from "@/server/kernel/context";
import { DomainError } from "@/terms/problems";

export const emailOf = (actor: string) => actor.replace(/^staff:/, "");

export const nameOf = (actor: string) => (actor === "ops" ? "Command line" : emailOf(actor));

/** ` other than` those of the actors who are people; nothing if none is. */
export function otherThan(...actors: readonly (string | null)[]): string {
  const people = actors.filter((actor) => actor?.startsWith("staff:"));
  return people.length > 0 ? ` other than ${people.map((actor) => emailOf(actor!)).join(" and ")}` : "";
}

/** @param actors who submitted batches, or created the tokens that did */
export const whoDecides = (...actors: readonly (string | null)[]) =>
  `Operators and admins${otherThan(...actors)} can approve or reject it.`;

export async function standingOf(sql: Sql | TransactionSql, actor: string) {
  const own = sql`email = ${emailOf(actor)}`;
  const given = sql`${actor} = any (unconfirmed_by)`;
  const [found] = await sql<{ role: StaffRole | null; isUnconfirmed: boolean; gaveAccessTo: string[] }[]>`
    select max(role::text) filter (where ${own}) as role,
      coalesce(bool_or(unconfirmed_by <> '{}') filter (where ${own}), false) as "isUnconfirmed",
      coalesce(array_agg('staff:' || email) filter (where ${given}), '{}') as "gaveAccessTo"
    from staff where ${own} or ${given}`;
  return found!;
}

/**
 * Why a person is no second person for what somebody else did, or undefined. Who gave an account its access
 * may hold it, until another admin confirms it: neither decides what the other did.
 * @param by who did it: `staff:<email>` or another actor
 */
export async function secondPersonObstacle(
  sql: Sql | TransactionSql,
  actor: string,
  by: string,
): Promise<string | undefined> {
  const { isUnconfirmed, gaveAccessTo } = await standingOf(sql, actor);
  if (isUnconfirmed) return UNCONFIRMED;
  return gaveAccessTo.includes(by)
    ? `You gave ${emailOf(by)} their access, and no other admin has confirmed it. Another person must decide.`
    : undefined;
}

const UNCONFIRMED =
  "Your access is not confirmed yet. " +
  "Until another admin confirms it under Team, you cannot approve or reject anything.";

/**
 * Whose batches a person does not decide about: their own, and of those whose access they gave.
 * @throws DomainError `not_allowed` to a person whose access is not confirmed
 */
export async function barredFor(sql: Sql, actor: string): Promise<string[]> {
  const { isUnconfirmed, gaveAccessTo } = await standingOf(sql, actor);
  if (isUnconfirmed) throw new DomainError("not_allowed", UNCONFIRMED);
  return [actor, ...gaveAccessTo];
}

/** A condition on `batches`: that nobody of these submitted it, nor made the token that did. */
export const isOfOthers = (sql: Sql, barred: readonly string[]) =>
  sql`(submitted_by <> all(${barred}::text[])
    and coalesce(token_created_by <> all(${barred}::text[]), true))`;

/** Whether a contract has an approval rule in force. Access that one admin gives then needs a second one. */
export async function isUnderRule(sql: Sql | TransactionSql): Promise<boolean> {
  const rules = await sql`
    select 1 from approval_rules
    where threshold is not null or on_unusual or day_threshold is not null limit 1`;
  return rules.length > 0;
}

/**
 * A value of `unconfirmed_by` that adds an admin who gives access under a rule, and with them those who may
 * hold that admin's own account. One's own access stays as it is. Viewers decide nothing, but another admin
 * may raise their role later.
 */
export function givenBy(sql: Sql | TransactionSql, actor: string, isRuled: boolean) {
  if (!isRuled) return sql`unconfirmed_by`;
  return sql`case when email = ${emailOf(actor)} then unconfirmed_by
    else array(select distinct unnest(unconfirmed_by || ${actor}::text
      || coalesce((select g.unconfirmed_by from staff g where g.email = ${emailOf(actor)}), '{}'))) end`;
}
