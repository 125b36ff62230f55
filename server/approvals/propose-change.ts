import { v7 as uuidv7 } from "uuid";
import { contractNotFound } from "@/server/ledger/accounts";
import { audited, contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { formatPoints, parsePoints } from "../kernel/values/points";
import { DomainError } from "../kernel/values/problems";
import type { ContractChange, ProposeChangeInput } from "./console-schema";
import { obstacleTo, readContract } from "./read-contract";

/**
 * Proposes a change of a contract. Another admin must approve it, even if it only loosens the rule in force.
 * @throws DomainError `contract_not_found`, `validation_failed` when it is not possible or another one is open
 */
export async function proposeChange(
  ctx: ServiceContext,
  input: ProposeChangeInput,
): Promise<{ changeId: string }> {
  const { sql } = ctx.db;
  const address = addressToBytes(input.contractAddress);
  const contract = await readContract(sql, address);
  if (!contract) throw contractNotFound(input.contractAddress);
  const change = changeOf(input, contract.operatorAddress);
  const obstacle = obstacleTo(change, contract);
  if (obstacle) throw new DomainError("validation_failed", obstacle);
  const changeId = uuidv7();
  const none = {
    pointType: null,
    threshold: null,
    onUnusual: null,
    dayThreshold: null,
    points: null,
    issuance: null,
  };
  const stored = { ...none, operatorAddress: null, operatorBefore: null, ...change };
  const bytes = (value: string | null) => value && addressToBytes(value);
  const detail = sql`${JSON.stringify({ ...change, reason: input.reason })}::text::jsonb`;
  const proposed = await sql`
    with proposed as (
      insert into contract_changes (contract_address, id, kind, point_type, threshold, on_unusual, day_threshold, points, issuance,
        operator_address, operator_before, reason, proposed_by)
      select c.address, ${changeId}::uuid, ${change.kind}, ${stored.pointType}::point_type, ${stored.threshold}::text::numeric,
        ${stored.onUnusual}::boolean, ${stored.dayThreshold}::text::numeric, ${stored.points}::text::numeric, ${stored.issuance}::issuance,
        ${bytes(stored.operatorAddress)}::bytea, ${bytes(stored.operatorBefore)}::bytea, ${input.reason}, ${ctx.actor}
      from contracts c where c.address = ${address}
      on conflict do nothing
      returning 1
    ), ${audited(ctx, { action: "change.propose", target: contractTarget(input.contractAddress), detail, of: "proposed" })}
    select 1 from proposed`;
  if (proposed.length === 1) return { changeId };
  throw new DomainError(
    "validation_failed",
    "Such a change is already proposed. Approve, reject or withdraw it first.",
  );
}

function changeOf(input: ProposeChangeInput, operatorBefore: string | null): ContractChange {
  const shortest = (points: string) => formatPoints(parsePoints(points));
  const { contractAddress: _, reason: __, ...change } = input;
  switch (change.kind) {
    case "RULE":
      return {
        ...change,
        threshold: change.threshold && shortest(change.threshold),
        dayThreshold: change.dayThreshold && shortest(change.dayThreshold),
      };
    case "GRANT":
      return { ...change, points: shortest(change.points) };
    case "ISSUANCE":
      return change;
    case "OPERATOR": {
      const operator = change.operatorAddress && addressFromBytes(addressToBytes(change.operatorAddress));
      return { ...change, operatorBefore, operatorAddress: operator };
    }
  }
}
