import type { ServiceContext } from "../kernel/context";
import { addressFromBytes } from "../kernel/values/addresses";
import type { Condition } from "./kinds";

const CONTRACTS_MAX = 100;

interface ProposedRow {
  address: Buffer;
  label: string;
  proposers: string[];
}

/** Contracts with a proposed change, which waits for an admin who did not propose it. */
export async function proposalConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<ProposedRow[]>`
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
      title: `A change of ${label} awaits approval`,
      remedy: `${others.length > 0 ? "Admins" : `Admins other than ${proposer!.replace(/^staff:/, "")}`} can approve or reject it on the contract's page.`,
      path: `/contracts/${contract}#approvals`,
    };
  });
}
