import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import { dataDirMode } from "@/db/embedded-cluster";
import { acquireLock } from "@/db/named-lock.mjs";
import { StartError } from "./start-error";

export interface DataDirClaim {
  /** Shown to a second process that starts on the same folder. */
  address: string | null;
  release(): Promise<void>;
}

/**
 * Creates DATA_DIR and locks it for this process.
 * @throws StartError when another process uses it, or when it cannot be written
 */
export async function claimDataDir(dataDir: string): Promise<DataDirClaim> {
  try {
    mkdirSync(dataDir, { recursive: true, mode: dataDirMode() });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(`Cannot write to DATA_DIR ${dataDir}. Set DATA_DIR to a folder that you own.`, {
      cause,
    });
  }
  const claim: DataDirClaim = { address: null, release: async () => undefined };
  const hold = await acquireLock("data", dataDir, () =>
    claim.address
      ? `running at ${claim.address} (process ${process.pid})`
      : `starting (process ${process.pid})`,
  );
  if ("gone" in hold) {
    throw new StartError(
      `The service is already ${hold.holder || "running"} with DATA_DIR ${realpathSync(dataDir)}.`,
    );
  }
  claim.release = hold.release;
  return claim;
}
