import { getAllocation } from "@/server/allocations/list-allocations";
import { readClaims } from "@/server/allocations/read-claims";
import type {
  AllocationFigures,
  AllocationInput,
  AllocationOut,
  AllocationRoots,
} from "@/server/allocations/schema";
import { readTree } from "@/server/allocations/stored-tree";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import type { FileAllocation } from "./claim-text";
import { type FileFormName, openFile } from "./files";

export type ReadyAllocation = AllocationOut & AllocationFigures & { roots: AllocationRoots };

/** Whether it is READY, and so has figures and roots. */
export const isReady = (allocation: AllocationOut): allocation is ReadyAllocation =>
  allocation.roots !== null;

/** An allocation in one of the forms that other tools read. @throws DomainError before anything is written */
export async function allocationFile(
  ctx: ServiceContext,
  { form, allocationId, tokenAddress }: AllocationInput & { form: FileFormName; tokenAddress?: string },
) {
  const allocation = await getAllocation(ctx, { allocationId });
  if (!isReady(allocation))
    throw invalid(`The allocation is ${allocation.status}. Only one that is READY has files.`);
  const stored = [ctx.db.sql, snapshotBytes(allocationId), allocation.claims] as const;
  const claims = { read: readClaims(...stored), readTree: () => readTree(...stored) };
  return openFile(form, fileAllocationOf(allocation), claims, tokenAddress);
}

export const fileAllocationOf = (allocation: ReadyAllocation): FileAllocation => ({
  ...allocation,
  sum: BigInt(allocation.sum),
  root: bytesOf(allocation.roots.openzeppelin),
  uniswapRoot: bytesOf(allocation.roots.uniswap),
});

const bytesOf = (root: string) => Buffer.from(root.slice("0x".length), "hex");
