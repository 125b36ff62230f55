import { CONTRACT_PATH, pathTo } from "./paths.ts";
import { allPages, readOfContract } from "./read-contract.ts";
import { sendOperation } from "./send-operation.ts";
import type { Holder, HolderPage, HoldersQuery, NewSnapshot, Snapshot } from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

export const SNAPSHOTS_PATH = `${CONTRACT_PATH}/snapshots` as const;
const HOLDERS_PATH = `${CONTRACT_PATH}/holders` as const;

/**
 * Asks for a snapshot of what the contract's recipients hold. It is RUNNING at first: see `listSnapshots`.
 * If `outcomeUnknown`, look for it in `listSnapshots` before you ask again.
 * @throws ApiProblem `ledger_not_in_balance`, `validation_failed` for a time that is too early or late, …;
 * ConnectionFailure, UnexpectedReply
 */
export async function takeSnapshot(
  ctx: ClientContext,
  snapshot: NewSnapshot,
  options: CallOptions = {},
): Promise<Snapshot> {
  const { body } = await sendOperation(ctx.transport, {
    method: "POST",
    path: pathTo(SNAPSHOTS_PATH, { contractAddress: contractOf(ctx, options) }),
    body: snapshot,
    // A second one would be another snapshot.
    repeat: "when_refused",
    member: "snapshot",
    changes: true,
    signal: options.signal,
  });
  return (body as unknown as { snapshot: Snapshot }).snapshot;
}

/** One page. @throws ApiProblem `snapshot_not_found`, `cursor_mismatch`, … */
export const listHolders = (
  ctx: ClientContext,
  query: HoldersQuery,
  options?: CallOptions,
): Promise<HolderPage> => readOfContract(ctx, [HOLDERS_PATH, {}], "holders", options, query);

/** Every holder of one snapshot by address, although a newer one may be taken meanwhile. */
export async function* iterateHolders(
  ctx: ClientContext,
  query: HoldersQuery,
  options?: CallOptions,
): AsyncGenerator<Holder, void, undefined> {
  let { snapshotId } = query;
  const pages = allPages(
    (cursor) => listHolders(ctx, { ...query, snapshotId, cursor }, options),
    query.cursor,
  );
  for await (const { holders, snapshot } of pages) {
    yield* holders;
    snapshotId = snapshot.id;
  }
}
