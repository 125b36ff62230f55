import { contractProcedure, router, staffChange, staffQuery } from "@/server/auth/procedures";
import { ContractInput } from "@/terms/batch-schema";
import { getSnapshot, listConsoleSnapshots } from "./console-snapshots";
import { deleteSnapshot, type RemoveAllocations } from "./delete-snapshot";
import { findHolders, listLargest } from "./find-holders";
import { listHolders } from "./list-holders";
import { listSnapshots } from "./list-snapshots";
import { readChange } from "./read-change";
import { readSpread } from "./read-spread";
import { requestSnapshot } from "./request-snapshot";
import {
  ConsoleSnapshotsInput,
  FindHoldersInput,
  ListHoldersInput,
  ListHoldersReply,
  ListSnapshotsReply,
  SNAPSHOTS_MAX,
  SnapshotInput,
  SnapshotRequest,
  TakeSnapshotInput,
  TakeSnapshotReply,
} from "./schema";

const CONTRACT = "/v1/contracts/{contractAddress}";

export const snapshotsRouter = router({
  take: contractProcedure("batches:write", "Snapshots", `POST ${CONTRACT}/snapshots`, {
    summary: "Take a snapshot",
    description:
      "Freezes what each recipient holds of the contract's points: what its finalized batches paid by " +
      "then, less its finalized reversals. It is taken in the background, within seconds for most " +
      "contracts, and never changes. While it is RUNNING, the same request returns it again. " +
      `Up to ${SNAPSHOTS_MAX} snapshots of a contract are kept until the service's staff delete one.`,
    // Once the first one is taken, another request takes another one.
    repeats: [],
  })
    .input(TakeSnapshotInput)
    .output(TakeSnapshotReply)
    .mutation(async ({ ctx, input }) => ({ snapshot: await requestSnapshot(ctx, input) })),

  list: contractProcedure("batches:read", "Snapshots", `GET ${CONTRACT}/snapshots`, {
    summary: "List the snapshots of a contract",
    description: "Returns all snapshots of the contract, with their sums and digests.",
  })
    .input(ContractInput)
    .output(ListSnapshotsReply)
    .query(async ({ ctx, input }) => ({ snapshots: await listSnapshots(ctx, input) })),

  holders: contractProcedure("batches:read", "Snapshots", `GET ${CONTRACT}/holders`, {
    summary: "List the holders of a contract's points",
    description: "Returns one page of the holders in the contract's newest snapshot, or in the one you name.",
  })
    .input(ListHoldersInput)
    .output(ListHoldersReply)
    .query(({ ctx, input }) => listHolders(ctx, input)),
});

export const createConsoleSnapshotsRouter = (removeAllocationsOf: RemoveAllocations) =>
  router({
    list: staffQuery("viewer", ConsoleSnapshotsInput, listConsoleSnapshots),
    get: staffQuery("viewer", SnapshotInput, getSnapshot),
    take: staffChange("operator", SnapshotRequest, requestSnapshot),
    delete: staffChange("operator", SnapshotInput, (ctx, input) =>
      deleteSnapshot(ctx, input, removeAllocationsOf),
    ),
    find: staffQuery("viewer", FindHoldersInput, findHolders),
    largest: staffQuery("viewer", SnapshotInput, listLargest, "long"),
    spread: staffQuery("viewer", SnapshotInput, readSpread, "long"),
    change: staffQuery("viewer", SnapshotInput, readChange, "long"),
  });
