"use client";
import { Layers, Replace } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { flushSync } from "react-dom";
import { BatchIdLink } from "@/app/(console)/batch-link";
import type { ContractChoice } from "@/app/(console)/batches/new/prepare/fields";
import { EmptyState, Skeleton } from "@/app/ui/states";
import type { UnfinishedUpload } from "@/server/batches/bulk/schema";
import type { Correction } from "@/server/batches/change/describe-correction";
import type { BatchLimits } from "@/server/kernel/batch-limits";
import { UploadNotes } from "../uploads";
import type { Plan } from "./plan/plan";
import { draftOfCorrection, draftOfUpload, PrepareForm, REVIEW_ID } from "./prepare/prepare-form";

const loadPlanView = () => import("./plan/plan-view").then((module) => module.PlanView);
const PlanView = dynamic(loadPlanView, { ssr: false, loading: () => <Skeleton className="h-80 w-full" /> });

interface NewBatchProps {
  contracts: readonly ContractChoice[];
  limits: BatchLimits;
  /** The cancelled batch to correct. */
  correction: Correction | null;
  unfinished: readonly UnfinishedUpload[];
  /** The one of them to continue. */
  continued: UnfinishedUpload | null;
  /** Address of the contract whose page led here. */
  wanted: string | null;
  /** The server's time at the first paint. */
  asOf: string;
}

/** Prepare, review, submit. */
export function NewBatch(props: NewBatchProps) {
  const { contracts, limits, correction, unfinished, continued, wanted, asOf } = props;
  const [plan, setPlan] = useState<Plan | null>(null);
  const [draft] = useState(() =>
    correction ? draftOfCorrection(correction) : continued && draftOfUpload(continued),
  );
  /** Back to the form as it was left. */
  const back = () => {
    flushSync(() => setPlan(null));
    document.getElementById(REVIEW_ID)?.focus();
  };

  if (contracts.length === 0) return <NoContract />;
  return (
    <>
      {correction && <CorrectionBanner correction={correction} />}
      {plan === null && (
        <UploadNotes uploads={continued ? [continued] : unfinished} isContinued={continued !== null} />
      )}
      <PrepareForm
        draft={draft}
        hidden={plan !== null}
        contracts={contracts}
        wanted={wanted}
        limits={limits}
        asOf={asOf}
        onPlan={setPlan}
      />
      {plan && <PlanView plan={plan} onBack={back} />}
    </>
  );
}

function NoContract() {
  return (
    <EmptyState icon={Layers} title="No contracts yet">
      <p className="text-muted">
        Each batch belongs to a contract. An admin can register the first one under{" "}
        <Link href="/contracts" className="text-accent underline">
          Contracts
        </Link>{" "}
        or with <code className="font-mono">npm run -s ops -- contract create</code>.
      </p>
    </EmptyState>
  );
}

/** Names the cancelled batch that is being corrected. */
function CorrectionBanner({ correction: { contractAddress, corrects } }: { correction: Correction }) {
  return (
    <p className="mb-4 flex items-start gap-2 rounded-control border border-line bg-surface px-3 py-2 text-table">
      <Replace aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
      <span className="wrap-anywhere min-w-0">
        Correction of the cancelled batch <BatchIdLink contractAddress={contractAddress} id={corrects} />. It
        is submitted as a new batch, and the two are linked.
      </span>
    </p>
  );
}
