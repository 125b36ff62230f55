"use client";
import { useQuery } from "@tanstack/react-query";
import { ISSUANCE_LABELS, personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { defaultWaitSeconds } from "@/app/(console)/batches/wait-field";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { formatAmount } from "@/app/ui/amount";
import { Button, TextLink } from "@/app/ui/button";
import { formatDuration } from "@/app/ui/format-time";
import { Section } from "@/app/ui/section";
import { Loaded } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { ApprovalRule, ContractChange, ProposedChange } from "@/server/approvals/schema";
import type { ConsoleContractDetail } from "@/server/contracts/schema";
import { useContract } from "./use-contract";

export function Approvals() {
  const { key, openDialog } = useContract();
  const isAdmin = useStaff().role === "admin";
  const approvals = useQuery(useTRPC().console.approvals.get.queryOptions(key));
  return (
    <Section
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
      <Loaded query={approvals}>
        {({ rules, proposed, otherAdmins }) => (
          <div className="card flex flex-col gap-3 p-4 text-table">
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
                <TextLink href="/access">Team</TextLink>.
              </p>
            )}
            {proposed.length > 0 && (
              <ul aria-label="Proposed changes" className="flex flex-col gap-3 border-line border-t pt-3">
                {proposed.map((change) => (
                  <Proposed key={change.id} change={change} />
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Proposed({ change }: { change: ProposedChange }) {
  const { contract, openDialog } = useContract();
  const { role, email } = useStaff();
  const isMine = change.proposedBy === `staff:${email}`;
  const decide = (decision: "approve" | "reject" | "withdraw") => () =>
    openDialog({ kind: "decide-change", decision, change });
  return (
    <li className="flex flex-wrap items-start gap-3">
      <div className="wraps flex-1 basis-64">
        <p className="font-medium">
          <Change change={change} contract={contract} />
        </p>
        <p>“{change.reason}”</p>
        <p className="hint">
          {personName(change.proposedBy)}, <Instant at={change.proposedAt} />
          {isMine && ". Another admin must approve it."}
        </p>
      </div>
      {role === "admin" && (
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

/** What a proposal changes. Addresses are in full, so that approvers can compare them. */
export function Change({ change, contract }: { change: ContractChange; contract: ConsoleContractDetail }) {
  const { waitLimits } = useStaff();
  switch (change.kind) {
    case "RULE":
      return `Rule for ${TYPE_LABELS[change.pointType]}: ${ruleText(change)}`;
    case "GRANT":
      return `Grant of ${formatAmount(change.points)} ${TYPE_LABELS[change.pointType]}`;
    case "ISSUANCE":
      return `Issuance from ${ISSUANCE_LABELS[contract.issuance]} to ${ISSUANCE_LABELS[change.issuance]}`;
    case "OPERATOR":
      return (
        <>
          Operator{" "}
          <span className="block">
            from <Operator address={change.operatorBefore} />
          </span>{" "}
          <span className="block">
            to <Operator address={change.operatorAddress} />
          </span>
        </>
      );
    case "WAIT":
      return (
        `Default wait from ${formatDuration(defaultWaitSeconds(contract.defaultWaitSeconds, waitLimits))} ` +
        `to ${formatDuration(change.seconds)}`
      );
  }
}

const Operator = ({ address }: { address: string | null }) =>
  address ? <span className="break-all mono">{address}</span> : "none";

function ruleText({ threshold, dayThreshold, onUnusual, pointType }: ApprovalRule): string {
  const amount = threshold && `batches of ${formatAmount(threshold)} ${TYPE_LABELS[pointType]} or more`;
  const day = dayThreshold && `batches that bring a day’s sum to ${formatAmount(dayThreshold)} or more`;
  const unusual = onUnusual && "batches whose review finds something unusual";
  const needs = [amount, day, unusual].filter(Boolean).join(", and ");
  return needs ? needs.charAt(0).toUpperCase() + needs.slice(1) : "No approval needed";
}

/** For titles and buttons: "Approve this grant?" */
export const KIND_NAMES = {
  RULE: "rule",
  GRANT: "grant",
  ISSUANCE: "issuance change",
  OPERATOR: "operator change",
  WAIT: "default wait change",
} as const satisfies Record<ContractChange["kind"], string>;
