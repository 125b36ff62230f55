import type { Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/values/addresses";

/** Puts an approval rule for PHASE2_POINTS in force, as if two admins had agreed. */
export async function setRule(
  { sql }: Database,
  contractAddress: string,
  {
    threshold = null,
    onUnusual = false,
    dayThreshold = null,
  }: { threshold?: string | null; onUnusual?: boolean; dayThreshold?: string | null },
): Promise<void> {
  const contract = addressToBytes(contractAddress);
  await sql`
    insert into approval_rules (contract_address, point_type, threshold, on_unusual, day_threshold)
    values (${contract}, 'PHASE2_POINTS', ${threshold}::text::numeric, ${onUnusual}, ${dayThreshold}::text::numeric)`;
  await sql`update contracts set approval_required = true where address = ${contract}`;
}
