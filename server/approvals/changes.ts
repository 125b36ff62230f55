import type postgres from "postgres";
import { v7 as uuidv7 } from "uuid";
import type { AuditAction } from "@/server/audit/actions";
import { auditAlone } from "@/server/audit/audit-alone";
import { audited, contractTarget } from "@/server/audit/audited";
import {
  type Issuance,
  requirePossibleWait,
  setDefaultWait,
  setIssuance,
  setOperator,
} from "@/server/contracts/change-contract";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { settings } from "@/server/kernel/settings";
import { invalid } from "@/server/kernel/to-domain-error";
import { type ApprovedChange, appliedBy, contractNotFound } from "@/server/ledger/accounts";
import { grantPoints } from "@/server/ledger/issuances";
import { emailOf, secondPersonObstacle } from "@/server/staff/second-person";
import { ISSUANCE_LABELS, POINT_TYPES, type PointType, TYPE_LABELS } from "@/terms/batch-terms";
import { formatAmount, formatDuration } from "@/terms/output-text";
import { formatPoints, parsePoints, parseSum, shortestPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import type {
  ApprovalRule,
  ChangeKind,
  ChangeWords,
  ContractChange,
  DecideChangeInput,
  ProposeChangeInput,
  ProposedChange,
} from "./schema";

const CHANGE_COLUMNS = `kind, point_type as "pointType", threshold, on_unusual as "onUnusual",
  day_threshold as "dayThreshold", points, issuance, operator_address as "operatorAddress",
  operator_before as "operatorBefore", wait_seconds as seconds`;

interface ChangeRow {
  kind: ChangeKind;
  threshold: string | null;
  dayThreshold: string | null;
  points: string | null;
  operatorAddress: Buffer | null;
  operatorBefore: Buffer | null;
}

/** A constraint ensures that a row has the fields of its kind. Those of other kinds are null. */
const FIELDS = {
  RULE: ["kind", "pointType", "threshold", "onUnusual", "dayThreshold"],
  GRANT: ["kind", "pointType", "points"],
  ISSUANCE: ["kind", "issuance"],
  OPERATOR: ["kind", "operatorBefore", "operatorAddress"],
  WAIT: ["kind", "seconds"],
} as const satisfies Record<ChangeKind, readonly string[]>;

function toChange(row: ChangeRow): ContractChange {
  const { operatorAddress, operatorBefore } = row;
  const all: Record<string, unknown> = {
    ...withPoints(row, "threshold", "dayThreshold", "points"),
    operatorAddress: operatorAddress && addressFromBytes(operatorAddress),
    operatorBefore: operatorBefore && addressFromBytes(operatorBefore),
  };
  return Object.fromEntries(FIELDS[row.kind].map((field) => [field, all[field]])) as ContractChange;
}

type ContractNow = { issuance: Issuance; operatorAddress: string | null; waitSeconds: number | null };

async function readContract(
  sql: postgres.Sql | postgres.TransactionSql,
  address: Buffer,
  { lock = false } = {},
): Promise<ContractNow | undefined> {
  const [row] = await sql<(Omit<ContractNow, "operatorAddress"> & { operator: Buffer | null })[]>`
    select issuance, operator_address as operator, default_wait_seconds as "waitSeconds" from contracts
    where address = ${address} ${lock ? sql`for update` : sql``}`;
  return row && { ...row, operatorAddress: row.operator && addressFromBytes(row.operator) };
}

/** Why a change is not possible for the contract as it is now, or undefined. */
function obstacleTo(change: ContractChange, contract: ContractNow): string | undefined {
  switch (change.kind) {
    case "RULE":
      return undefined;
    case "GRANT":
      return contract.issuance === "PREFUNDED"
        ? undefined
        : "The contract gets points on demand and needs no grants.";
    case "ISSUANCE":
      return contract.issuance === change.issuance
        ? `The contract's issuance is already ${change.issuance}.`
        : undefined;
    case "OPERATOR":
      if (contract.operatorAddress !== change.operatorBefore)
        return "The contract's operator was changed after this was proposed.";
      return contract.operatorAddress === change.operatorAddress
        ? "The contract already has this operator."
        : undefined;
    case "WAIT":
      return contract.waitSeconds === change.seconds
        ? "The contract already has this default wait."
        : undefined;
  }
}

/** Another admin must approve it. @throws DomainError `contract_not_found`, `validation_failed` */
export async function proposeChange(
  ctx: ServiceContext,
  input: ProposeChangeInput,
): Promise<{ changeId: string }> {
  const { sql } = ctx.db;
  const address = addressToBytes(input.contractAddress);
  const contract = await readContract(sql, address);
  if (!contract) throw contractNotFound(input.contractAddress);
  if (input.kind === "WAIT") requirePossibleWait(input.seconds);
  const change = changeOf(input, contract.operatorAddress);
  const obstacle = obstacleTo(change, contract);
  if (obstacle) throw invalid(obstacle);
  const changeId = uuidv7();
  const none = { pointType: null, threshold: null, onUnusual: null, dayThreshold: null, points: null };
  const others = { issuance: null, operatorAddress: null, operatorBefore: null, seconds: null };
  const stored = { ...none, ...others, ...change };
  const bytes = (value: string | null) => value && addressToBytes(value);
  const detail = sql`${JSON.stringify({ ...change, reason: input.reason })}::text::jsonb`;
  const target = contractTarget(input.contractAddress);
  const proposed = await sql`
    with proposed as (
      insert into contract_changes (contract_address, id, kind, point_type, threshold, on_unusual,
        day_threshold, points, issuance, operator_address, operator_before, wait_seconds, reason, proposed_by)
      select c.address, ${changeId}::uuid, ${change.kind}, ${stored.pointType}::point_type,
        ${stored.threshold}::text::numeric, ${stored.onUnusual}::boolean,
        ${stored.dayThreshold}::text::numeric, ${stored.points}::text::numeric,
        ${stored.issuance}::issuance, ${bytes(stored.operatorAddress)}::bytea,
        ${bytes(stored.operatorBefore)}::bytea, ${stored.seconds}::int, ${input.reason}, ${ctx.actor}
      from contracts c where c.address = ${address}
      on conflict do nothing
      returning 1
    ), ${audited(ctx, { action: "change.propose", target, detail, of: "proposed" })}
    select 1 from proposed`;
  if (proposed.length === 1) return { changeId };
  throw invalid("Such a change is already proposed. Approve, reject or withdraw it first.");
}

function changeOf(input: ProposeChangeInput, operatorBefore: string | null): ContractChange {
  const { contractAddress: _, reason: __, ...change } = input;
  if (change.kind !== "OPERATOR") return change;
  const operatorAddress = change.operatorAddress && addressFromBytes(addressToBytes(change.operatorAddress));
  return { ...change, operatorBefore, operatorAddress };
}

const DECISIONS = {
  approve: { stored: "APPROVED", action: "change.approve" },
  reject: { stored: "REJECTED", action: "change.reject" },
  withdraw: { stored: "WITHDRAWN", action: "change.withdraw" },
} as const satisfies Record<string, { stored: string; action: AuditAction }>;

type Decision = keyof typeof DECISIONS;

/**
 * Approves, rejects or withdraws a proposed change. Only another admin can approve or reject it, and only its
 * proposer can withdraw it. Approving applies it in the same transaction; if that is not possible, the change
 * stays proposed.
 * @throws DomainError `not_found`, `not_allowed`, `validation_failed` when decided or no longer possible
 */
export async function decideChange(
  ctx: ServiceContext,
  decision: Decision,
  input: DecideChangeInput,
): Promise<void> {
  const address = addressToBytes(input.contractAddress);
  const { stored, action } = DECISIONS[decision];
  await ctx.db.sql.begin(async (tx) => {
    // Rules, and all that they cover, lock the contract first, so that they always see each other.
    const contract = await readContract(tx, address, { lock: true });
    const allowed =
      decision === "withdraw" ? tx`r.proposed_by = ${ctx.actor}` : tx`r.proposed_by <> ${ctx.actor}`;
    const [decided] = await tx<
      (ChangeRow & { proposed_by: string; effect: string | null; decided_at: string })[]
    >`
      with moment as materialized (
        select greatest(clock_timestamp(), c.applied_at + interval '1 millisecond') as at
        from contracts c where c.address = ${address}
      )
      update contract_changes r set decision = ${stored}, decided_at = moment.at, decided_by = ${ctx.actor},
        decision_reason = ${input.reason}
      from moment
      where r.contract_address = ${address} and r.id = ${input.changeId}::uuid
        and r.decision is null and ${allowed}
      returning ${tx.unsafe(CHANGE_COLUMNS)}, r.proposed_by, r.effect, r.decided_at`;
    if (!contract || !decided) throw await notDecidable(tx, decision, input);
    const obstacle =
      decision !== "withdraw" && (await secondPersonObstacle(tx, ctx.actor, decided.proposed_by));
    if (obstacle) throw new DomainError("not_allowed", obstacle);
    const change = toChange(decided);
    const detail = { ...change, reason: input.reason };
    await auditAlone(tx, ctx, { action, target: contractTarget(input.contractAddress), detail });
    if (decision !== "approve") return;
    const outdated = obstacleTo(change, contract);
    if (outdated) throw invalid(`${outdated} Reject the proposal.`);
    await apply(ctx, input.contractAddress, change, {
      tx,
      id: input.changeId,
      effect: decided.effect,
      decidedAt: decided.decided_at,
      proposedBy: decided.proposed_by,
    });
  });
}

async function apply(
  ctx: ServiceContext,
  contractAddress: string,
  change: ContractChange,
  approved: ApprovedChange,
): Promise<void> {
  switch (change.kind) {
    case "RULE":
      return await setRule(contractAddress, change, approved);
    case "GRANT":
      return await grantPoints(ctx, { ...change, contractAddress }, approved);
    case "ISSUANCE":
      return await setIssuance(ctx, { ...change, contractAddress }, approved);
    case "OPERATOR":
      return await setOperator(ctx, { ...change, contractAddress }, approved);
    case "WAIT":
      return await setDefaultWait(ctx, { ...change, contractAddress }, approved);
  }
}

/** Applies to batches submitted from then on. */
async function setRule(contractAddress: string, rule: ApprovalRule, approved: ApprovedChange): Promise<void> {
  const { tx } = approved;
  const address = addressToBytes(contractAddress);
  await tx`
    insert into approval_rules (contract_address, point_type, threshold, on_unusual, day_threshold,
      applied_change_id, applied_effect, applied_at)
    values (${address}, ${rule.pointType}::point_type, ${rule.threshold}::text::numeric,
      ${rule.onUnusual}::boolean, ${rule.dayThreshold}::text::numeric,
      ${approved.id}::uuid, ${approved.effect}, ${approved.decidedAt}::timestamptz)
    on conflict (contract_address, point_type) do update
      set threshold = excluded.threshold, on_unusual = excluded.on_unusual,
        day_threshold = excluded.day_threshold, applied_change_id = excluded.applied_change_id,
        applied_effect = excluded.applied_effect, applied_at = excluded.applied_at`;
  const inForce = await tx`
    select 1 from approval_rules
    where contract_address = ${address}
      and (threshold is not null or on_unusual or day_threshold is not null)`;
  await tx`
    update contracts set approval_required = ${inForce.length > 0}::boolean ${appliedBy(tx, approved)}
    where address = ${address}`;
}

async function notDecidable(
  tx: postgres.TransactionSql,
  decision: Decision,
  { contractAddress, changeId }: DecideChangeInput,
): Promise<DomainError> {
  const [change] = await tx<{ decision: string | null; proposed_by: string }[]>`
    select decision, proposed_by from contract_changes
    where contract_address = ${addressToBytes(contractAddress)} and id = ${changeId}::uuid`;
  if (!change) return new DomainError("not_found", "The contract has no proposed change with this ID.");
  if (change.decision) return invalid(`This change is already ${change.decision.toLowerCase()}.`);
  return new DomainError(
    "not_allowed",
    decision === "withdraw"
      ? `Only ${emailOf(change.proposed_by)} can withdraw it.`
      : "You proposed this change. Another admin must approve or reject it.",
  );
}

type ProposedRow = ChangeRow &
  Pick<ProposedChange, "id" | "reason" | "proposedBy" | "proposedAt"> & {
    address: Buffer;
    label: string;
    issuanceNow: Issuance;
    /** Null for the host's default. */
    waitNow: number | null;
    ruleNow: Omit<ApprovalRule, "pointType"> | null;
    available: string;
  };

/** @param which a condition on `contract_changes`, which may also be an order and a limit */
export async function readProposed(sql: postgres.Sql, which: postgres.Fragment) {
  const rows = await sql<ProposedRow[]>`
    with p as materialized (
      select contract_address, id, reason, proposed_by as "proposedBy", proposed_at as "proposedAt",
        ${sql.unsafe(CHANGE_COLUMNS)}
      from contract_changes where decision is null and ${which}
    )
    select p.*, c.address, c.label, c.issuance as "issuanceNow",
      c.default_wait_seconds as "waitNow",
      case when r.on_unusual is not null then jsonb_build_object('threshold', r.threshold::text,
        'dayThreshold', r.day_threshold::text, 'onUnusual', r.on_unusual) end as "ruleNow",
      coalesce(a.earned + a.received - a.sent - a.pending, 0)::text as available
    from p join contracts c on c.address = p.contract_address
      left join approval_rules r on r.contract_address = c.address and r.point_type = p."pointType"
      left join accounts a on a.address = c.address and a.point_type = p."pointType"
    order by p."proposedAt", p.id`;
  return rows.map((row) => {
    const { id, reason, proposedBy, proposedAt, address, label } = withTimes(row, "proposedAt");
    const change = toChange(row);
    const words = changeWords(change, row);
    const proposed: ProposedChange = { ...change, ...words, id, reason, proposedBy, proposedAt };
    return { proposed, label, contractAddress: addressFromBytes(address) };
  });
}

function changeWords(change: ContractChange, now: ProposedRow): ChangeWords {
  const { issuanceNow, ruleNow, available, waitNow } = now;
  switch (change.kind) {
    case "RULE": {
      const { pointType } = change;
      const before = ruleText({ ...NO_RULE, ...ruleNow, pointType });
      return { what: `Approval rule for ${TYPE_LABELS[pointType]}`, before, after: ruleText(change) };
    }
    case "GRANT": {
      const { pointType, points } = change;
      const sum = parseSum(available);
      const shown = (left: bigint) => `${amountOf(formatPoints(left), pointType)} available`;
      const what = `Grant of ${amountOf(points, pointType)}`;
      return { what, before: shown(sum), after: shown(sum + parsePoints(points)) };
    }
    case "ISSUANCE":
      return {
        what: "Change of issuance",
        before: ISSUANCE_LABELS[issuanceNow],
        after: ISSUANCE_LABELS[change.issuance],
      };
    case "OPERATOR":
      return {
        what: "Change of operator",
        before: change.operatorBefore ?? "No operator",
        after: change.operatorAddress ?? "No operator",
      };
    case "WAIT":
      return {
        what: "Change of the default wait",
        before: formatDuration(waitNow ?? settings().DEFAULT_FINALIZE_SECONDS),
        after: formatDuration(change.seconds),
      };
  }
}

const amountOf = (points: string, type: PointType) =>
  `${formatAmount(shortestPoints(points))} ${TYPE_LABELS[type]}`;

function ruleText({ threshold, dayThreshold, onUnusual, pointType }: ApprovalRule): string {
  const amount = threshold && `batches of ${amountOf(threshold, pointType)} or more`;
  const day =
    dayThreshold && `batches that bring a day’s sum to ${formatAmount(shortestPoints(dayThreshold))} or more`;
  const unusual = onUnusual && "batches whose review finds something unusual";
  const needs = [amount, day, unusual].filter(Boolean).join(", and ");
  return needs ? needs.charAt(0).toUpperCase() + needs.slice(1) : "No approval needed";
}

const NO_RULE = { threshold: null, onUnusual: false, dayThreshold: null };

export async function readApprovals(
  { db: { sql }, actor }: ServiceContext,
  input: { contractAddress: string },
) {
  const contract = addressToBytes(input.contractAddress);
  const [rules, proposed, [admins]] = await Promise.all([
    sql<ApprovalRule[]>`
      select point_type as "pointType", threshold, on_unusual as "onUnusual", day_threshold as "dayThreshold"
      from approval_rules where contract_address = ${contract}`,
    readProposed(sql, sql`contract_address = ${contract}`),
    sql<{ count: number }[]>`
      select count(*)::int as count from staff
      where role = 'admin' and disabled_at is null and unconfirmed_by = '{}'
        and 'staff:' || email <> ${actor}`,
  ]);
  const inForce = new Map<PointType, ApprovalRule>(rules.map((rule) => [rule.pointType, rule]));
  return {
    rules: POINT_TYPES.map((pointType) => {
      const rule = inForce.get(pointType) ?? { pointType, ...NO_RULE };
      return { ...withPoints(rule, "threshold", "dayThreshold"), text: ruleText(rule) };
    }),
    proposed: proposed.map(({ proposed: change }) => change),
    /** How many other people could approve what the reader proposes. */
    otherAdmins: admins!.count,
  };
}
