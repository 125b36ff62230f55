import type { FileAllocation } from "@/server/allocations/files/claim-text";
import type { AllocationFigures, AllocationOut, AllocationRoots } from "@/server/allocations/schema";

export type ReadyAllocation = AllocationOut & AllocationFigures & { roots: AllocationRoots };

/** Whether it is READY. */
export const hasFigures = (allocation: AllocationOut): allocation is ReadyAllocation =>
  allocation.roots !== null;

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), "hex");

export const fileAllocationOf = (allocation: ReadyAllocation): FileAllocation => ({
  ...allocation,
  sum: BigInt(allocation.sum),
  root: bytesOf(allocation.roots.openzeppelin),
  uniswapRoot: bytesOf(allocation.roots.uniswap),
});
