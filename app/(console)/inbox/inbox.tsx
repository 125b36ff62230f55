"use client";

import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Mail, Send, Webhook } from "lucide-react";
import { useQueryStates } from "nuqs";
import { auditQuery } from "@/app/(console)/access/audit/audit-params";
import { EVENTS } from "@/app/(console)/batches/batch/event-words";
import { PayoutBadge } from "@/app/(console)/batches/payout/payout-badge";
import { personName } from "@/app/(console)/batches/status";
import { PaidMarks, StatusBadge } from "@/app/(console)/batches/status-badge";
import { QueueLine } from "@/app/(console)/queue-state";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useChange, usePages, useTRPC } from "@/app/data/trpc";
import { Button, TextLink } from "@/app/ui/button";
import { MoreRows } from "@/app/ui/more-rows";
import { Section } from "@/app/ui/section";
import { EmptyNote, Loaded, PageSkeleton, QueryError } from "@/app/ui/states";
import { SwitchLinks } from "@/app/ui/switch-links";
import { Instant } from "@/app/ui/time";
import type { EndedAlert } from "@/server/alerts/inbox";
import type { AlertKind } from "@/server/alerts/kinds";
import type { ChannelState } from "@/server/alerts/send-alerts";
import type { AuditAction } from "@/server/audit/actions";
import { inboxParams, inboxQuery } from "./inbox-params";
import { CardTimes, CardWords, Queue, Seeing, useMark } from "./queue";

const CHANNEL_LOOKS = {
  webhook: { name: "Slack-compatible webhook", icon: Webhook, needs: "Set ALERT_WEBHOOK_URL" },
  email: { name: "Email", icon: Mail, needs: "Set SMTP_URL, MAIL_FROM and ALERT_EMAIL_TO" },
} as const;

function Channels() {
  const query = useQuery(useTRPC().console.alerts.channels.queryOptions());
  return (
    <Section title="Where alerts are sent" note="Set up as docs/alerts.md says.">
      <Loaded query={query}>
        {(states) => (
          <ul className="card">
            {states.map((state) => (
              <ChannelRow key={state.channel} state={state} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function ChannelRow({ state: { channel, target, lastSentAt, failure } }: { state: ChannelState }) {
  const { alerts } = useTRPC().console;
  const { role } = useStaff();
  const refresh = useChange([alerts.channels.queryFilter()])();
  const test = useMutation(alerts.sendTest.mutationOptions(refresh));
  const { name, icon: Icon, needs } = CHANNEL_LOOKS[channel];
  return (
    <li className="card-row flex flex-wrap items-center gap-x-3 gap-y-2">
      <Icon size={16} className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium text-table">{name}</p>
        <p className="wrap-anywhere hint tabular-nums">
          {target ? (
            <>
              {target}
              {lastSentAt && " · last sent "}
              {lastSentAt && <Instant at={lastSentAt} />}
            </>
          ) : (
            `Not set up. ${needs}, then restart the service.`
          )}
        </p>
        {failure && (
          <p className="wrap-anywhere text-danger text-label">The last message failed: {failure}</p>
        )}
      </div>
      {target && role === "admin" && (
        <Button
          size="small"
          icon={Send}
          busy={test.isPending}
          aria-label={`Send a test: ${name}`}
          onClick={() => test.mutate({ channel })}
        >
          Send a test
        </Button>
      )}
      <p role="status" className="wrap-anywhere basis-full text-table empty:sr-only">
        {test.data?.isSent && `Sent. Response: ${test.data.answer}`}
        {test.data?.isSent === false && <span className="text-danger">Not sent. {test.data.answer}</span>}
        {test.error && <span className="text-danger">{problemOf(test.error).detail}</span>}
      </p>
    </li>
  );
}

export function Inbox() {
  const [{ state }] = useQueryStates(inboxParams);
  const mark = useMark();
  return (
    <div className="@container flex flex-col gap-4 p-4 md:p-6">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-title">Alerts</h1>
        <p className="hint tabular-nums empty:hidden max-sm:order-last max-sm:basis-full">
          <QueueLine isInbox />
        </p>
        {state === "open" && <Seeing mark={mark} />}
        <SwitchLinks
          name="State"
          chosen={state}
          options={[
            ["open", "Open"],
            ["ended", "Ended"],
          ]}
          hrefOf={(value) => inboxQuery("/inbox", { state: value })}
        />
      </div>
      {state === "open" ? <Queue mark={mark} /> : <Ended />}
      <Channels />
    </div>
  );
}

/** The service looks as often whether something has ended. */
const ENDED_EVERY_MS = 15_000;

function Ended() {
  const pages = usePages(useTRPC().console.alerts.ended, {});
  const query = useInfiniteQuery({ ...pages, refetchInterval: ENDED_EVERY_MS });
  const alerts = query.data?.pages.flatMap((page) => page.alerts) ?? [];
  if (query.isPending) return <PageSkeleton />;
  if (alerts.length === 0 && query.isError) return <QueryError query={query} />;
  if (alerts.length === 0) return <EmptyNote>No ended alerts. They are kept for 90 days.</EmptyNote>;
  return (
    <>
      <ul aria-label="Ended alerts" className="card">
        {alerts.map((alert) => (
          <li key={alert.id} className="card-row flex flex-col gap-2">
            <CardWords remedy={<EndWords alert={alert} />} {...alert} />
            <CardTimes {...alert} />
          </li>
        ))}
      </ul>
      <MoreRows query={query} count={alerts.length} one="alert" many="alerts" />
    </>
  );
}

/** Why the condition of each kind is gone. */
const ENDED: Record<AlertKind, string> = {
  check: "A later self-check finished without it.",
  unread: "Everything could be read again.",
  tick: "A finalizer ran again.",
  overdue: "No batch was overdue any more.",
  run: "A later run finished without it.",
  index: "The index had all but the newest batches again.",
  batch: "What was unusual was put on hold, cancelled or finalized.",
  approval: "None of its batches awaited approval any more.",
  proposal: "It was decided, or no longer needed a decision.",
  points: "The contract had enough points again, or issues them on demand.",
  webhook: "It was enabled or deleted, or had been disabled for 7 days.",
};

/** What people decide about a contract's batches that await approval. */
const DECISIONS: AuditAction[] = ["batch.approve", "batch.reject", "batch.cancel"];

/** An alert about batches says how they are now and who decided that, or links to what was decided. */
function EndWords({ alert }: { alert: EndedAlert }) {
  const { kind, subject, batch, decision, startedAt, clearedAt } = alert;
  const payout = batch?.payout;
  const verb = decision && !/held|cancelled/.test(decision.event) && `· ${EVENTS[decision.event].label} `;
  const query = { action: DECISIONS, target: subject, from: new Date(startedAt), to: new Date(clearedAt) };
  const log = auditQuery("/access/audit", query);
  return (
    <>
      {batch ? `Its ${payout ? "payout" : "batch"} is now` : ENDED[kind]}{" "}
      {payout ? <PayoutBadge payout={payout} /> : batch && <StatusBadge batch={batch} compact />}{" "}
      <PaidMarks {...(payout ?? { takenBack: batch?.takenBack })} />{" "}
      {decision?.by && `${verb || ""}by ${personName(decision.by)}, `}
      {decision?.by && <Instant at={decision.at} />}
      {decision?.reason && `: “${decision.reason}”`}
      {kind === "approval" && <TextLink href={log}>Decisions in that time</TextLink>}
    </>
  );
}
