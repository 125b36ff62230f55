import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import { holdName } from "../launch/hold-name.mjs";
import { StartError } from "./start-error";

export interface DataDirClaim {
  /** Told to whoever starts on the same folder. */
  address: string | null;
  release(): Promise<void>;
}

/**
 * Makes DATA_DIR and holds it for this process alone.
 * @throws StartError when another process serves from it, or when it cannot be written.
 */
export async function claimDataDir(dataDir: string): Promise<DataDirClaim> {
  try {
    // Root's Postgres runs as another user, who must pass through; what is secret in here is 0600.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(`Cannot write to DATA_DIR ${dataDir}; set DATA_DIR to a folder you own.`, { cause });
  }
  const claim: DataDirClaim = { address: null, release: async () => undefined };
  const hold = await holdName("data", dataDir, () =>
    claim.address
      ? `runs at ${claim.address} (process ${process.pid})`
      : `is starting (process ${process.pid})`,
  );
  if ("gone" in hold) {
    throw new StartError(`The service already ${hold.holder || "runs"} on ${realpathSync(dataDir)}.`);
  }
  claim.release = hold.release;
  return claim;
}
