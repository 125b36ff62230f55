import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { batchesOf } from "@/app/(console)/batches/status";
import { readWait, takeBackWait, WaitField } from "@/app/(console)/batches/wait-field";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC, useTRPCClient } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { ChangeDialog, ReasonField } from "@/app/ui/dialogs";
import { textOf } from "@/app/ui/fields";
import { Fact, FactList } from "@/app/ui/section";
import { Skeleton } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { BulkPreview } from "@/server/batches/bulk/preview-bulk";
import type { BulkPreviewInput } from "@/server/batches/bulk/schema";
import BulkJobDialog from "./bulk-job";
import { ACTION_WORDS, Amounts, obstacleWords, Shares } from "./bulk-words";

/** Where it started: the buttons of what it changed may be gone. */
const toList = () =>
  document.querySelector<HTMLElement>("#main [aria-label=Batches]") ?? document.getElementById("main");

interface BulkDialogProps extends BulkPreviewInput {
  /** In the title, if they are all of one thing. */
  whose?: string;
  /** @param isStarted whether batches are or were changed */
  close: (isStarted: boolean) => void;
}

export default function BulkDialog({ action, chosen, whose, close }: BulkDialogProps) {
  const words = ACTION_WORDS[action];
  const client = useTRPCClient().console.bulk;
  // What was counted is what is changed, so it is counted once.
  const preview = useQuery({
    queryKey: ["bulk preview", useId()],
    queryFn: () => client.preview.mutate({ action, chosen }),
    networkMode: "always",
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { data } = preview;
  const count = data?.changeable.batches ?? 0;
  const start = useMutation(useTRPC().console.bulk.start.mutationOptions());
  const { limits } = useStaff();
  const [wait, setWait] = useState(() => takeBackWait(limits));
  const { seconds } = readWait(wait, limits);
  const hasWait = action === "reverse";
  const titleOf = () => {
    if (preview.error !== null) return "Could not count the batches";
    if (!data) return "Counting batches. Nothing has changed yet";
    if (count === 0) return `None of these batches can be ${words.done}`;
    return `${words.confirm(whose ? `${whose} (${batchesOf(count)})` : batchesOf(count))}?`;
  };
  const submit = (form: FormData) => {
    if (!data) return void preview.refetch();
    const secondsToFinalize = hasWait ? seconds : null;
    if (secondsToFinalize === undefined) return;
    start.mutate({ jobId: data.jobId, reason: textOf(form, "reason"), secondsToFinalize });
  };
  if (start.data)
    return <BulkJobDialog jobId={start.data.jobId} close={() => close(true)} finalFocus={toList} />;
  return (
    <ChangeDialog
      close={() => close(false)}
      title={titleOf()}
      description={count > 0 && <p>{words.what}</p>}
      change={{ error: preview.error ?? start.error, isPending: start.isPending }}
      cancel={count > 0 ? "Not now" : "Close"}
      submit={preview.error !== null ? "Try again" : count > 0 ? words.confirm(batchesOf(count)) : undefined}
      danger={(action === "cancel" || hasWait) && count > 0}
      onSubmit={submit}
    >
      {preview.isPending && <Skeleton className="h-20" />}
      {data && <Figures {...data} />}
      {count > 0 && (
        <ReasonField hint="Required. Shown in the timeline of each batch and in the audit log." autoFocus />
      )}
      {count > 0 && hasWait && <WaitField wait={wait} onChange={setWait} />}
    </ChangeDialog>
  );
}

function Figures({ action, awaitsApproval, changeable, due, obstacles, frozenAt, batches }: BulkPreview) {
  const { done } = ACTION_WORDS[action];
  return (
    <div className="flex max-h-[45dvh] flex-col gap-3 overflow-y-auto">
      {changeable.batches > 0 && (
        <FactList>
          <Fact name="Transfers">{formatCount(changeable.transfers)}</Fact>
          <Fact name="Amount">
            <Amounts amounts={changeable.amounts} />
          </Fact>
        </FactList>
      )}
      {due.batches > 0 && <Shares shares={[{ ...due, name: "Due already, paid within seconds" }]} />}
      {awaitsApproval && (
        <p className="text-table">
          The contract’s approval rule covers this sum. Nothing is taken back until another person approves
          it.
        </p>
      )}
      {obstacles.length > 0 && (
        <section aria-label={`Cannot be ${done}`} className="flex flex-col gap-1.5">
          <h3 className="font-medium text-label">
            {batchesOf(batches - changeable.batches)} cannot be {done}
          </h3>
          <Shares shares={obstacles.map((share) => ({ ...share, name: obstacleWords(share.why) }))} />
        </section>
      )}
      <p className="hint">
        Counted <Instant at={frozenAt} />. Batches created later are not changed.
      </p>
    </div>
  );
}
