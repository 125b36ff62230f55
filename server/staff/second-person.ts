import type { Sql, TransactionSql } from "postgres";

export const emailOf = (actor: string) => actor.replace(/^staff:/, "");

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
  const [found] = await sql<{ isUnconfirmed: boolean; gaveAccess: boolean }[]>`
    select
      exists (
        select 1 from staff where email = ${emailOf(actor)} and unconfirmed_by <> '{}') as "isUnconfirmed",
      exists (
        select 1 from staff
        where email = ${emailOf(by)} and ${actor} = any (unconfirmed_by)) as "gaveAccess"`;
  if (found!.isUnconfirmed)
    return (
      "Your access is not confirmed yet. " +
      "Until another admin confirms it under Team, you cannot approve or reject anything."
    );
  return found!.gaveAccess
    ? `You gave ${emailOf(by)} their access, and no other admin has confirmed it. Another person must decide.`
    : undefined;
}

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
