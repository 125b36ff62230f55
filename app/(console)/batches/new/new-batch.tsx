"use client";
import { Layers } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { BatchLimits } from "@/server/batches/limits";
import { EmptyState } from "../../../ui/empty-state";
import { useStaff } from "../../staff";
import type { Plan } from "./plan/plan";
import { type Draft, PrepareForm, REVIEW_ID } from "./prepare/prepare-form";
import { PlanSkeleton } from "./skeleton";
import { Steps } from "./steps";

const loadPlanView = () => import("./plan/plan-view").then((module) => module.PlanView);
const PlanView = dynamic(loadPlanView, { ssr: false, loading: PlanSkeleton });

export interface ContractChoice {
  address: string;
  label: string;
  issuance: "ON_DEMAND" | "PREFUNDED";
}

interface NewBatchProps {
  contracts: readonly ContractChoice[];
  limits: BatchLimits;
  /** The server's clock at the first paint. */
  asOf: string;
}

/** Prepare, review, send. A plan that is under way in this browser is gone on with. */
export function NewBatch({ contracts, limits, asOf }: NewBatchProps) {
  const { email } = useStaff();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [resumed, setResumed] = useState(false);
  const [form, setForm] = useState<{ number: number; draft: Draft | null }>({ number: 0, draft: null });
  useEffect(() => {
    let wanted = true;
    const find = async () => {
      const { readPlan } = await import("./plan/plan-store");
      const found = await readPlan(email);
      if (!wanted || !found) return;
      setPlan(found);
      setResumed(true);
    };
    // A browser that keeps nothing has nothing to go on with; it is told when there is something to keep.
    find().catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [email]);

  const fresh = () => {
    setPlan(null);
    setForm((before) => ({ number: before.number + 1, draft: null }));
  };
  /** Back from the review: to the form as it was left, or for a plan of an earlier visit to one made of it. */
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
      <Steps now={plan === null ? "Prepare" : plan.confirmed ? "Send" : "Review"} />
      {(plan === null || !resumed) && (
        <PrepareForm
          key={form.number}
          draft={form.draft}
          hidden={plan !== null}
          contracts={contracts}
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
          onPlan={(changed) => (changed ? setPlan(changed) : fresh())}
          onBack={() => back(plan)}
        />
      )}
    </>
  );
}

function NoContract() {
  return (
    <EmptyState icon={Layers} title="No contract is registered yet">
      <p className="text-muted">
        A batch is sent in the name of a contract. An admin registers the first one, under{" "}
        <Link href="/contracts" className="text-accent underline">
          Contracts
        </Link>{" "}
        or with <code className="font-mono">npm run -s ops -- contract create</code>.
      </p>
    </EmptyState>
  );
}
