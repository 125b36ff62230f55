import { createLoader, createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { text } from "@/app/(console)/batches/list-params";
import { ADDRESS_PATTERN, POINT_TYPES, UUID_PATTERN } from "@/terms/batch-terms";

/** In the URL, so that a shared link shows the same. */
export const snapshotParams = {
  type: parseAsStringLiteral(POINT_TYPES),
  /** Absent for the holdings over all contracts. */
  contract: text(ADDRESS_PATTERN),
  /** Absent for the newest one. It has a type and a contract of its own, so these are then not read. */
  snapshot: text(UUID_PATTERN),
};

export type SnapshotParams = inferParserType<typeof snapshotParams>;
export const loadSnapshotParams = createLoader(snapshotParams);
const toQuery = createSerializer(snapshotParams);
export const snapshotsPath = (given: Partial<SnapshotParams> = {}) => toQuery("/snapshots", given);
