"use client";
import { useQuery } from "@tanstack/react-query";
import { personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Button, TextLink } from "@/app/ui/button";
import { Fact, FactList, Section } from "@/app/ui/section";
import { Loaded } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { ChangeWords, ContractChange, ProposedChange } from "@/server/approvals/schema";
import { useContract } from "./use-contract";

export function Approvals() {
  const { key, openDialog } = useContract();
  const { role, isUnconfirmed } = useStaff();
  const isAdmin = role === "admin";
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
                  <dd>{rule.text}</dd>
                </div>
              ))}
            </dl>
            {isAdmin && (isUnconfirmed || otherAdmins === 0) && (
              <p className="text-muted">
                {isUnconfirmed
                  ? "You can approve and reject once another admin has confirmed your access under "
                  : "You are the only admin, and changes need a second one. Invite another admin under "}
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
  const { openDialog } = useContract();
  const { role, email, isUnconfirmed } = useStaff();
  const isMine = change.proposedBy === `staff:${email}`;
  const decide = (decision: "approve" | "reject" | "withdraw") => () =>
    openDialog({ kind: "decide-change", decision, change });
  return (
    <li className="flex flex-wrap items-start gap-3">
      <div className="wraps flex flex-1 basis-64 flex-col gap-1">
        <Change change={change} />
        <p>“{change.reason}”</p>
        <p className="hint">
          {personName(change.proposedBy)}, <Instant at={change.proposedAt} />
          {isMine && ". Another admin must approve it."}
        </p>
      </div>
      {role === "admin" && (isMine || !isUnconfirmed) && (
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

/** What a proposal changes, the old beside the new. */
export const Change = ({ change: { what, before, after } }: { change: ChangeWords }) => (
  <div className="flex flex-col gap-1">
    <p className="font-medium">{what}</p>
    <FactList>
      <Fact name="Now">{before}</Fact>
      <Fact name="Proposed">{after}</Fact>
    </FactList>
  </div>
);

/** For titles and buttons: "Approve this grant?" */
export const KIND_NAMES = {
  RULE: "rule",
  GRANT: "grant",
  ISSUANCE: "issuance change",
  OPERATOR: "operator change",
  WAIT: "default wait change",
} as const satisfies Record<ContractChange["kind"], string>;
