import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { snapshotBytes } from "@/server/ledger/snapshot-text";
import { type AllocationFile, type FileFormName, openFile } from "./files/files";
import { getAllocation } from "./list-allocations";
import { readClaims } from "./read-claims";
import type { AllocationInput } from "./schema";

interface FileRequest extends AllocationInput {
  form: FileFormName;
  /** Of the token, for the forms that name it. */
  tokenAddress?: string | undefined;
}

/** An allocation in one of the forms that other tools read. @throws DomainError before anything is written */
export async function allocationFile(ctx: ServiceContext, request: FileRequest): Promise<AllocationFile> {
  const { name, snapshotId, status, claims, sum, decimals, roots } = await getAllocation(ctx, request);
  if (claims === null || sum === null || roots === null)
    throw invalid(`The allocation is ${status}. Only one that is READY has files.`);
  return openFile(
    request.form,
    {
      ...{ name, snapshotId, claims, decimals, sum: BigInt(sum) },
      ...{ root: bytesOf(roots.openzeppelin), uniswapRoot: bytesOf(roots.uniswap) },
    },
    readClaims(ctx.db.sql, snapshotBytes(request.allocationId), claims),
    request.tokenAddress,
  );
}

const bytesOf = (root: string) => Buffer.from(root.slice("0x".length), "hex");
