import { readAllocations } from "@/server/allocations/list-allocations";
import { readProposed } from "@/server/approvals/changes";
import type { ChangeWords } from "@/server/approvals/schema";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { nameOf, otherThan } from "@/server/staff/second-person";
import { type Condition, FOUND_MAX } from "./kinds";

export interface Proposal extends Condition {
  startedAt: string;
  /** Those who may not decide it. */
  by: readonly string[];
  change: ChangeWords | null;
}

const OF_PROPOSAL = { kind: "proposal", severity: "warning", change: null } as const;

/** Access to confirm, changes to contracts and allocations to publish. */
export async function findProposals(ctx: ServiceContext): Promise<Proposal[]> {
  return [...(await findAccess(ctx)), ...(await findChanges(ctx)), ...(await findAllocations(ctx))];
}

/** Of a message, which has no columns for the old and the new. */
export async function proposalConditions(ctx: ServiceContext): Promise<Condition[]> {
  return (await findProposals(ctx)).map(({ by: _, change, remedy, ...rest }) => ({
    ...rest,
    remedy: change ? `Now: ${change.before}. Proposed: ${change.after}. ${remedy}` : remedy,
  }));
}

async function findAccess({ db: { sql } }: ServiceContext): Promise<Proposal[]> {
  const people = await sql<{ email: string; role: string; givers: string[]; at: string }[]>`
    select email, role, unconfirmed_by as givers, coalesce((
        select max(at) from audit_log
        where target = 'staff:' || email and actor = any(unconfirmed_by)
          and action in ('staff.create', 'staff.invite', 'staff.link', 'staff.role', 'staff.enable')
      ), created_at) as at
    from staff
    where unconfirmed_by <> '{}' and role <> 'viewer' and disabled_at is null
    order by email limit ${FOUND_MAX}`;
  return people.map(({ email, role, givers, at }) => ({
    ...OF_PROPOSAL,
    subject: email,
    title: `Access of ${email} as ${role} awaits confirmation`,
    remedy:
      `Given by ${givers.map(nameOf).join(" and ")}. Another admin can confirm it under Team, ` +
      "or disable the account. Until then it approves nothing.",
    path: "/access",
    startedAt: toTimestamp(at),
    by: [...givers, `staff:${email}`],
  }));
}

async function findChanges({ db: { sql } }: ServiceContext): Promise<Proposal[]> {
  const changes = await readProposed(sql, sql`true order by contract_address limit ${FOUND_MAX}`);
  return changes.map(({ proposed, label, contractAddress }) => {
    const { id, what, before, after, reason, proposedBy, proposedAt } = proposed;
    return {
      ...OF_PROPOSAL,
      subject: `${contractAddress}/${id}`,
      title: `A change to ${label} awaits approval: ${what}`,
      remedy:
        `Proposed by ${nameOf(proposedBy)}: “${reason}”. ` +
        `Admins${otherThan(proposedBy)} can approve or reject it on the contract's page.`,
      path: `/contracts/${contractAddress}/approvals`,
      startedAt: proposedAt,
      by: [proposedBy],
      change: { what, before, after },
    };
  });
}

async function findAllocations(ctx: ServiceContext): Promise<Proposal[]> {
  const made = await readAllocations(
    ctx,
    ctx.db.sql`a.status = 'READY' and a.published_at is null order by a.finished_at limit ${FOUND_MAX}`,
  );
  return made
    .filter(({ needsSecondPerson }) => needsSecondPerson)
    .map(({ id, name, snapshotName, requestedBy, requestedAt, finishedAt }) => ({
      ...OF_PROPOSAL,
      subject: `allocation/${id}`,
      title: `Allocation ${name} of ${snapshotName} awaits publication`,
      remedy:
        `Made by ${nameOf(requestedBy)}. ` +
        `Admins${otherThan(requestedBy)} can publish it on its page, or delete it.`,
      path: `/snapshots/allocations/${id}`,
      startedAt: finishedAt ?? requestedAt,
      by: [requestedBy],
    }));
}
