"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ProposedChange } from "@/server/approvals/console-schema";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";
import { useTRPC } from "../../../data/trpc";
import { Button } from "../../../ui/button";
import { Instant } from "../../../ui/instant";
import { Loaded } from "../../../ui/loaded";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { TYPE_LABELS } from "../../batches/status";
import { useStaff } from "../../staff";
import { Change, ruleText } from "./change";
import type { ContractDialog } from "./contract-dialog";

export const APPROVALS_ID = "approvals";

interface ApprovalsProps {
  contract: ConsoleContractDetail;
  openDialog: (dialog: ContractDialog) => void;
}

/** Which batches need a second person, and which proposed changes await a second admin. */
export function Approvals({ contract, openDialog }: ApprovalsProps) {
  const { role, email } = useStaff();
  const isAdmin = role === "admin";
  const approvals = useQuery(
    useTRPC().console.approvals.get.queryOptions({ contractAddress: contract.address }),
  );
  return (
    <Section
      id={APPROVALS_ID}
      title="Approvals"
      note={`What needs a second person’s approval${isAdmin ? "" : ". Only admins can change this"}`}
      actions={
        isAdmin && (
          <Button
            size="small"
            disabled={!approvals.data}
            onClick={() => openDialog({ kind: "propose-rule" })}
          >
            Propose a rule…
          </Button>
        )
      }
    >
      <Loaded query={approvals} skeleton={<Skeleton className="h-20 w-full" />}>
        {({ rules, proposed, otherAdmins }) => (
          <div className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 text-table">
            <dl className="grid gap-x-8 gap-y-1 sm:grid-cols-[max-content_1fr]">
              {rules.map((rule) => (
                <div key={rule.pointType} className="contents">
                  <dt className="text-muted">{TYPE_LABELS[rule.pointType]}</dt>
                  <dd>{ruleText(rule)}</dd>
                </div>
              ))}
            </dl>
            {isAdmin && otherAdmins === 0 && (
              <p className="text-muted">
                You are the only admin, and changes need a second one. Invite another admin under{" "}
                <Link href="/access" prefetch={false} className="text-accent underline">
                  Team
                </Link>
                .
              </p>
            )}
            {proposed.length > 0 && (
              <ul aria-label="Proposed changes" className="flex flex-col gap-3 border-line border-t pt-3">
                {proposed.map((change) => (
                  <Proposed
                    key={change.id}
                    change={change}
                    contract={contract}
                    isMine={change.proposedBy === `staff:${email}`}
                    isAdmin={isAdmin}
                    openDialog={openDialog}
                  />
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

interface ProposedProps {
  change: ProposedChange;
  contract: ConsoleContractDetail;
  isMine: boolean;
  isAdmin: boolean;
  openDialog: ApprovalsProps["openDialog"];
}

function Proposed({ change, contract, isMine, isAdmin, openDialog }: ProposedProps) {
  const decide = (decision: "approve" | "reject" | "withdraw") => () =>
    openDialog({ kind: "decide-change", decision, change });
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
