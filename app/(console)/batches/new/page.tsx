import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { createLoader, parseAsString } from "nuqs/server";
import { batchKey, parseBatchKey } from "@/app/(console)/batch-key";
import { text } from "@/app/(console)/batches/list-params";
import { batchesOf } from "@/app/(console)/batches/status";
import { batchPath, payoutPath } from "@/app/(console)/paths";
import { readAllocation, readOr, readPayout, unlessBusy, unlessMissing } from "@/app/(console)/reads";
import type { PageProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { formatCount } from "@/app/ui/amount";
import { ButtonLink, TextLink } from "@/app/ui/button";
import { EmptyState, NotFound } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import { consoleCaller } from "@/server/trpc/caller";
import { type BatchKey, LIST_LIMIT_MAX } from "@/terms/batch-schema";
import { UUID_PATTERN } from "@/terms/batch-terms";
import { type ContinuedPayout, NewBatch } from "./new-batch";

export const metadata: Metadata = { title: "New payout" };

const loadParams = createLoader({
  corrects: parseAsString,
  payout: parseAsString,
  allocation: text(UUID_PATTERN),
});

export default async function NewBatchPage({ searchParams }: PageProps) {
  const { corrects, payout, allocation: allocationId } = await loadParams(searchParams);
  const source = parseBatchKey(corrects);
  const wanted = parseBatchKey(payout);
  const { role, email } = await requireStaff();
  if (role === "viewer")
    return (
      <EmptyState icon={Lock} heading="h1" title="You need the operator role">
        Viewers can see batches but cannot submit them. Ask an admin to change your role.
        <ButtonLink href="/batches">View all batches</ButtonLink>
      </EmptyState>
    );
  if (corrects !== null && !source)
    return (
      <NotCorrectable why="The link contains no valid batch. Check it, or start from the cancelled batch." />
    );
  const caller = await consoleCaller();
  const [contracts, continued, correction] = await Promise.all([
    caller.console.contracts.list(),
    wanted && readContinued(wanted),
    source && readOr(caller.console.batches.correction(source), ["batch_not_found", "validation_failed"]),
  ]);
  if (correction?.refusal) return <NotCorrectable why={correction.refusal.message} source={source} />;
  const allocation = allocationId
    ? await unlessMissing(readAllocation(allocationId), "allocation_not_found")
    : null;
  if (allocationId && !allocation)
    return (
      <NotFound title="Allocation not found" href="/snapshots" link="View snapshots">
        Check the ID in the link. Someone may have deleted the allocation.
      </NotFound>
    );
  // It was finished or cancelled meanwhile.
  if (wanted && !continued)
    redirect(payoutPath({ contractAddress: wanted.contractAddress, id: wanted.batchId }));
  return (
    <div className="mx-auto w-full max-w-[880px] p-4 md:p-6">
      <h1 className="mb-4 font-semibold text-title">New payout</h1>
      <NewBatch
        // Another batch to correct, or none, starts over: Next keeps the state when only the query changes.
        key={corrects ?? payout ?? allocationId}
        contracts={contracts}
        correction={correction?.value ?? null}
        allocation={allocation}
        continued={continued}
      >
        {!continued && <Unfinished submittedBy={`staff:${email}`} />}
      </NewBatch>
    </div>
  );
}

/** Payouts that wait for their release. The pages that submitted them may have been left. */
async function Unfinished({ submittedBy }: { submittedBy: string }) {
  const { batches } = (await consoleCaller()).console;
  const asked = { held: true, submittedBy, sort: "DUE_DESC", limit: LIST_LIMIT_MAX } as const;
  const held = (await unlessBusy(batches.list(asked)))?.batches ?? [];
  const payouts = held.flatMap(({ heldForPayout, contractAddress, createdAt, payout }) =>
    heldForPayout && payout?.partCount ? { contractAddress, createdAt, ...payout } : [],
  );
  const notes = payouts
    .filter((one, at) => payouts.findIndex((other) => batchKey(other) === batchKey(one)) === at)
    .map((payout) => (
      <p key={batchKey(payout)} className="card wrap-anywhere mb-4 px-3 py-2 text-table">
        Your payout <b className="font-medium">{payout.name}</b> of <Instant at={payout.createdAt} /> has{" "}
        {formatCount(payout.storedParts)} of {batchesOf(payout.partCount!)} submitted. Nothing more of it is
        paid before it is released. <TextLink href={payoutPath(payout)}>Continue or cancel it</TextLink>
      </p>
    ));
  const isCut = held.length === LIST_LIMIT_MAX;
  const rest = <TextLink href="/inbox">More of your batches may be on hold: see Alerts</TextLink>;
  return [...notes, isCut && <p key="rest">{rest}</p>];
}

/** Null once none of it waits for the rest of its file. */
async function readContinued({ contractAddress, batchId }: BatchKey): Promise<ContinuedPayout | null> {
  const payout = await readPayout(contractAddress, batchId).catch(() => null);
  const first = payout?.parts.find(({ heldForPayout }) => heldForPayout);
  if (!payout || !first) return null;
  const waitSeconds = (Date.parse(first.finalizeAt) - Date.parse(first.createdAt)) / 1000;
  return { ...payout, pointType: first.pointType, waitSeconds };
}

const NotCorrectable = ({ why, source }: { why: string; source?: BatchKey | null }) => (
  <NotFound
    title="This batch cannot be corrected"
    href={source ? batchPath(source) : "/batches"}
    link={source ? "View batch" : "View all batches"}
  >
    {why}
  </NotFound>
);
