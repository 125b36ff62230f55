import type { ServiceContext } from "../kernel/context";
import { addressFromBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { minuteOf } from "./compose";
import type { Condition } from "./kinds";

/** Batches considered, earliest due first. */
const BATCHES_MAX = 100_000;
export const CONTRACTS_MAX = 1000;

/**
 * Contracts with batches that a second person must approve. Leaves out batches on hold, which somebody has looked at, and
 * those under review, which takes only seconds and may end the wait.
 */
export async function approvalConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<{ address: Buffer; label: string; first_due: string; is_late: boolean }[]>`
    with awaiting as materialized (
      select contract_address, finalize_at from batches
      where status = 'PENDING' and awaits_approval and held_at is null
        and (approval_need <> 'REVIEW' or finalize_at <= now())
      order by finalize_at, seq limit ${BATCHES_MAX}
    ), first as materialized (
      select contract_address, min(finalize_at) as first_due from awaiting
      group by contract_address order by first_due limit ${CONTRACTS_MAX}
    )
    select c.address, c.label, f.first_due, f.first_due <= now() as is_late
    from first f join contracts c on c.address = f.contract_address`;
  return rows.map(({ address, label, first_due, is_late: isLate }) => {
    const contract = addressFromBytes(address);
    const dueAt = toTimestamp(first_due);
    const due = `${minuteOf(dueAt)} UTC`;
    return {
      kind: "approval",
      subject: contract,
      severity: isLate ? "critical" : "warning",
      title: `Batches of ${label} await approval`,
      remedy: `${isLate ? `The first was due at ${due}, and its recipients get nothing until it is approved.` : `The first is due at ${due}.`} Operators and admins can approve or reject batches that they did not submit.`,
      path: `/batches?status=AWAITING_APPROVAL&contract=${contract}&sort=DUE`,
      dueAt,
    };
  });
}

/** Accounts whose access another admin must confirm, and contracts with a change that another admin must decide. */
export async function proposalConditions(ctx: ServiceContext): Promise<Condition[]> {
  return [...(await accessConditions(ctx)), ...(await changeConditions(ctx))];
}

async function accessConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const people = await sql<{ email: string; role: string; givers: string[] }[]>`
    select email, role, unconfirmed_by as givers from staff
    where unconfirmed_by <> '{}' and role <> 'viewer' and disabled_at is null order by email limit ${CONTRACTS_MAX}`;
  return people.map(({ email, role, givers }) => ({
    kind: "proposal",
    subject: email,
    severity: "warning",
    title: `Access of ${email} as ${role} awaits confirmation`,
    remedy: `Given by ${givers.map((giver) => giver.replace(/^staff:/, "")).join(" and ")}. Another admin can confirm it under Team, or disable the account. Until then it approves nothing.`,
    path: "/access",
  }));
}

async function changeConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<{ address: Buffer; label: string; proposers: string[] }[]>`
    with proposed as materialized (
      select contract_address, array_agg(distinct proposed_by) as proposers from contract_changes
      where decision is null group by contract_address order by contract_address limit ${CONTRACTS_MAX}
    )
    select c.address, c.label, p.proposers from proposed p join contracts c on c.address = p.contract_address`;
  return rows.map(({ address, label, proposers }) => {
    const contract = addressFromBytes(address);
    const [proposer, ...others] = proposers;
    return {
      kind: "proposal",
      subject: contract,
      severity: "warning",
      title: `A change to ${label} awaits approval`,
      remedy: `${others.length > 0 ? "Admins" : `Admins other than ${proposer!.replace(/^staff:/, "")}`} can approve or reject it on the contract's page.`,
      path: `/contracts/${contract}#approvals`,
    };
  });
}
