"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ProposedChange } from "@/server/approvals/console-schema";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Button } from "../../../ui/button";
import { ErrorState } from "../../../ui/error-state";
import { Instant } from "../../../ui/instant";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { TYPE_LABELS } from "../../batches/status";
import { useStaff } from "../../staff";
import { Change } from "./change";
import { ruleWords } from "./change-words";
import type { Question } from "./dialog-props";

export const APPROVALS_ID = "approvals";

interface ApprovalsProps {
  contract: ConsoleContractDetail;
  ask: (question: Question) => void;
}

/** Which batches need a second person, and the proposed changes that need a second admin. */
export function Approvals({ contract, ask }: ApprovalsProps) {
  const { role, email } = useStaff();
  const isAdmin = role === "admin";
  const approvals = useQuery(
    useTRPC().console.approvals.get.queryOptions({ contractAddress: contract.address }),
  );
  return (
    <Section
      id={APPROVALS_ID}
      title="Approvals"
      note={`What a second person must approve${isAdmin ? "" : ". Only admins can change this"}`}
      actions={
        isAdmin && (
          <Button size="small" disabled={!approvals.data} onClick={() => ask({ kind: "propose-rule" })}>
            Propose a rule…
          </Button>
        )
      }
    >
      {approvals.isPending && <Skeleton className="h-20 w-full" />}
      {approvals.isError && !approvals.data && (
        <ErrorState {...problemOf(approvals.error)} onRetry={() => void approvals.refetch()} />
      )}
      {approvals.data && (
        <div className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 text-table">
          <dl className="grid gap-x-8 gap-y-1 sm:grid-cols-[max-content_1fr]">
            {approvals.data.rules.map((rule) => (
              <div key={rule.pointType} className="contents">
                <dt className="text-muted">{TYPE_LABELS[rule.pointType]}</dt>
                <dd>{ruleWords(rule)}</dd>
              </div>
            ))}
          </dl>
          {isAdmin && approvals.data.otherAdmins === 0 && (
            <p className="text-muted">
              A change needs a second admin, and you are the only one. Invite another one under{" "}
              <Link href="/access" prefetch={false} className="text-accent underline">
                Team
              </Link>
              .
            </p>
          )}
          {approvals.data.proposed.length > 0 && (
            <ul aria-label="Proposed changes" className="flex flex-col gap-3 border-line border-t pt-3">
              {approvals.data.proposed.map((change) => (
                <Proposed
                  key={change.id}
                  change={change}
                  contract={contract}
                  isMine={change.proposedBy === `staff:${email}`}
                  isAdmin={isAdmin}
                  ask={ask}
                />
              ))}
            </ul>
          )}
        </div>
      )}
    </Section>
  );
}

interface ProposedProps {
  change: ProposedChange;
  contract: ConsoleContractDetail;
  isMine: boolean;
  isAdmin: boolean;
  ask: ApprovalsProps["ask"];
}

function Proposed({ change, contract, isMine, isAdmin, ask }: ProposedProps) {
  const decide = (decision: "approve" | "reject" | "withdraw") => () =>
    ask({ kind: "decide-change", decision, change });
  return (
    <li className="flex flex-wrap items-start gap-3">
      <div className="wrap-anywhere min-w-0 flex-1 basis-64">
        <p className="font-medium">
          <Change change={change} issuance={contract.issuance} />
        </p>
        <p>“{change.reason}”</p>
        <p className="text-label text-muted">
          {change.proposedBy.replace(/^staff:/, "")},{" "}
          <Instant at={change.proposedAt} className="tabular-nums" />
          {isMine && ". Another admin must approve it."}
        </p>
      </div>
      {isAdmin && (
        <span className="flex gap-2">
          {isMine ? (
            <Button size="small" onClick={decide("withdraw")}>
              Withdraw…
            </Button>
          ) : (
            <>
              <Button size="small" onClick={decide("reject")}>
                Reject…
              </Button>
              <Button size="small" variant="primary" onClick={decide("approve")}>
                Approve…
              </Button>
            </>
          )}
        </span>
      )}
    </li>
  );
}
