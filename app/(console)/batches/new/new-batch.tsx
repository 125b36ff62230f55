"use client";
import { Layers } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Correction } from "@/server/batches/change/describe-correction";
import type { BatchLimits } from "@/server/kernel/batch-limits";
import { EmptyState } from "../../../ui/empty-state";
import { useStaff } from "../../staff";
import { CorrectionBanner } from "./correction-banner";
import { PlanSkeleton } from "./frame";
import type { Plan } from "./plan/plan";
import type { ContractChoice } from "./prepare/batch-fields";
import { draftOfCorrection } from "./prepare/draft-of-correction";
import { type Draft, PrepareForm, REVIEW_ID } from "./prepare/prepare-form";
import { Steps } from "./steps";

const loadPlanView = () => import("./plan/plan-view").then((module) => module.PlanView);
const PlanView = dynamic(loadPlanView, { ssr: false, loading: PlanSkeleton });

interface NewBatchProps {
  contracts: readonly ContractChoice[];
  limits: BatchLimits;
  /** The cancelled batch to correct. */
  correction: Correction | null;
  /** Address of the contract whose page led here. */
  wanted: string | null;
  /** The server's time at the first paint. */
  asOf: string;
}

/** Prepare, review, submit. A plan that is in progress in this browser is resumed. */
export function NewBatch({ contracts, limits, correction, wanted, asOf }: NewBatchProps) {
  const { email } = useStaff();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [resumed, setResumed] = useState(false);
  const [form, setForm] = useState<{ number: number; draft: Draft | null }>(() => ({
    number: 0,
    draft: correction && draftOfCorrection(correction),
  }));
  useEffect(() => {
    let wanted = true;
    const find = async () => {
      const { readPlan } = await import("./plan/plan-store");
      const found = await readPlan(email);
      if (!wanted || !found) return;
      setPlan(found);
      setResumed(true);
    };
    // Without storage there is nothing to resume. Saving a plan reports the error.
    find().catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [email]);

  const startOver = () => {
    // After a plan from an earlier visit, the correction is next. Otherwise the correction itself is done.
    const isNext = correction !== null && plan?.corrects !== correction.corrects && resumed;
    setPlan(null);
    setResumed(false);
    if (correction && !isNext) window.history.replaceState(null, "", "/batches/new");
    setForm((before) => ({
      number: before.number + 1,
      draft: isNext ? draftOfCorrection(correction) : null,
    }));
  };
  /** Back to the form as it was left. For a plan from an earlier visit, the form is rebuilt from the plan. */
  const back = async (left: Plan) => {
    if (resumed) {
      const { draftOfPlan } = await import("./plan/draft-of-plan");
      const draft = await draftOfPlan(left);
      setForm((before) => ({ number: before.number + 1, draft }));
    }
    flushSync(() => setPlan(null));
    setResumed(false);
    document.getElementById(REVIEW_ID)?.focus();
  };

  if (contracts.length === 0) return <NoContract />;
  return (
    <>
      <CorrectionBanner
        contractAddress={(plan ?? form.draft?.options)?.contractAddress}
        corrects={plan ? plan.corrects : form.draft?.corrects}
        next={plan && resumed && plan.corrects !== correction?.corrects ? correction?.corrects : undefined}
      />
      <Steps now={plan === null ? "Prepare" : plan.confirmed ? "Submit" : "Review"} />
      {(plan === null || !resumed) && (
        <PrepareForm
          key={form.number}
          draft={form.draft}
          hidden={plan !== null}
          contracts={contracts}
          wanted={wanted}
          limits={limits}
          asOf={asOf}
          onPlan={(made) => {
            setResumed(false);
            setPlan(made);
          }}
        />
      )}
      {plan && (
        <PlanView
          plan={plan}
          resumed={resumed}
          onPlan={(changed) => (changed ? setPlan(changed) : startOver())}
          onBack={() => back(plan)}
        />
      )}
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
