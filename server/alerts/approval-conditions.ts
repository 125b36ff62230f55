import type { ServiceContext } from "../kernel/context";
import { addressFromBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import type { Condition } from "./kinds";

/** Batches considered, earliest due first. */
const BATCHES_MAX = 10_000;
const CONTRACTS_MAX = 100;

interface AwaitingRow {
  address: Buffer;
  label: string;
  first_due: string;
  is_late: boolean;
}

/**
 * Contracts with batches that a second person must approve. A batch on hold is left out, because somebody has looked at it, and
 * so is one whose review takes only seconds and may end the wait.
 */
export async function approvalConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<AwaitingRow[]>`
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
  return rows.map(({ address, label, first_due: firstDue, is_late: isLate }) => {
    const contract = addressFromBytes(address);
    const due = `${toTimestamp(firstDue).slice(0, 16).replace("T", " ")} UTC`;
    return {
      kind: "approval",
      subject: contract,
      severity: isLate ? "critical" : "warning",
      title: `Batches of ${label} await approval`,
      remedy: `${isLate ? `The first was due ${due}, and its recipients get nothing until it is approved.` : `The first is due ${due}.`} Operators and admins can approve or reject batches that they did not submit.`,
      path: `/batches?status=AWAITING_APPROVAL&contract=${contract}&sort=DUE`,
    };
  });
}
