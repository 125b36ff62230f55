"use client";

import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import {
  BellOff,
  CheckCheck,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Eye,
  Mail,
  Send,
  TriangleAlert,
  Webhook,
} from "lucide-react";
import { useQueryStates } from "nuqs";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useChange, usePages, useTRPC } from "@/app/data/trpc";
import { Badge } from "@/app/ui/badge";
import { Button, Link, Spinner } from "@/app/ui/button";
import { MoreRows } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { EmptyState, PageSkeleton, QueryError, StaleBanner } from "@/app/ui/states";
import { SwitchLinks } from "@/app/ui/switch-links";
import { Instant } from "@/app/ui/time";
import type { ShownAlert } from "@/server/alerts/inbox";
import type { AlertKind } from "@/server/alerts/kinds";
import type { ChannelState } from "@/server/alerts/send-alerts";
import { inboxParams, inboxQuery } from "./inbox-params";

const CHANNEL_LOOKS = {
  webhook: { name: "Slack-compatible webhook", icon: Webhook, needs: "Set ALERT_WEBHOOK_URL" },
  email: { name: "Email", icon: Mail, needs: "Set SMTP_URL, MAIL_FROM and ALERT_EMAIL_TO" },
} as const;

function Channels() {
  const trpc = useTRPC();
  const query = useQuery(trpc.console.alerts.channels.queryOptions());
  return (
    <Section title="Where alerts are sent">
      <p className="hint">
        The service sends one message when an alert starts, one if it becomes critical later and one when it
        ends. Alerts within a minute share a message. A contract is running out of points when its available
        points last less than 3 days at the average pace of its last 7 days.
      </p>
      {query.isError && (
        <p role="alert" className="text-danger text-table">
          {problemOf(query.error).detail}
        </p>
      )}
      <ul className="card">
        {query.data?.map((state) => (
          <ChannelRow key={state.channel} state={state} />
        ))}
      </ul>
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
        <p className="wrap-anywhere hint">
          {target ? (
            <>
              {target}
              {lastSentAt && (
                <span className="tabular-nums">
                  {" "}
                  · last sent <Instant at={lastSentAt} />
                </span>
              )}
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
        {test.data &&
          (test.data.isSent ? (
            `Sent. Response: ${test.data.answer}`
          ) : (
            <span className="text-danger">Not sent. {test.data.answer}</span>
          ))}
        {test.error && <span className="text-danger">{problemOf(test.error).detail}</span>}
      </p>
    </li>
  );
}

/** A request marks at most this many. */
const MARKED_MAX = 100;

export function Inbox() {
  const [params] = useQueryStates(inboxParams);
  const { list, summary, markSeen } = useTRPC().console.alerts;
  const query = useInfiniteQuery({ ...usePages(list, params), refetchInterval: REFETCH_MS });
  const { email } = useStaff();
  // What every page shows changes too.
  const refresh = useChange([list.infiniteQueryFilter(), summary.queryFilter()])();
  const mark = useMutation(markSeen.mutationOptions(refresh));
  const alerts = query.data?.pages.flatMap((page) => page.alerts) ?? [];
  const unseen = alerts.filter(({ seenBy }) => seenBy.every((view) => view.email !== email));
  if (query.isPending) return <PageSkeleton />;
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-title">Alerts</h1>
        {query.isPlaceholderData && <Spinner label="Loading" />}
        <SwitchLinks
          name="State"
          chosen={params.state}
          links={STATES.map((link) => ({ ...link, href: inboxQuery("/inbox", { state: link.value }) }))}
        />
        {unseen.length > 0 && (
          <Button
            icon={CheckCheck}
            disabled={mark.isPending}
            onClick={() => mark.mutate({ alertIds: unseen.slice(0, MARKED_MAX).map(({ id }) => id) })}
          >
            Mark all as seen
          </Button>
        )}
      </div>
      {mark.isError && (
        <p role="alert" className="text-danger text-table">
          {problemOf(mark.error).detail}
        </p>
      )}
      {query.isError && alerts.length > 0 && <StaleBanner />}
      {alerts.length > 0 ? (
        <>
          <ul aria-label="Alerts" className="card">
            {alerts.map((alert) => (
              <AlertRow
                key={alert.id}
                alert={alert}
                isSeen={!unseen.includes(alert)}
                busy={mark.isPending}
                onSeen={() => mark.mutate({ alertIds: [alert.id] })}
              />
            ))}
          </ul>
          <MoreRows query={query} count={alerts.length} one="alert" many="alerts" />
        </>
      ) : query.isError ? (
        <QueryError query={query} />
      ) : (
        <EmptyState icon={BellOff} title={params.state === "open" ? "No open alerts" : "No alerts"}>
          An alert appears here when batches are overdue, no finalizer runs, a ledger self-check fails, a
          batch is unusual, a batch or change awaits approval, a webhook is disabled, or a prefunded contract
          runs out of points. Ended alerts are kept for 90 days.
        </EmptyState>
      )}
      <Channels />
    </div>
  );
}

const REFETCH_MS = 15_000;

const STATES = [
  { value: "open", label: "Open" },
  { value: "ended", label: "Ended" },
  { value: "all", label: "All" },
] as const;

const KIND_NAMES = {
  check: "Self-check",
  tick: "Finalizer",
  overdue: "Overdue batches",
  run: "Failed runs",
  batch: "Unusual batches",
  approval: "Awaiting approval",
  proposal: "Proposed changes",
  points: "Running out of points",
  webhook: "Disabled webhooks",
} as const satisfies Record<AlertKind, string>;

interface AlertRowProps {
  alert: ShownAlert;
  isSeen: boolean;
  busy: boolean;
  onSeen: () => void;
}

function AlertRow({ alert, isSeen, busy, onSeen }: AlertRowProps) {
  return (
    <li className="card-row flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-80 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <State alert={alert} />
          <Link href={alert.path} className="wraps rounded-badge font-semibold hover:text-accent">
            {alert.title}
          </Link>
        </div>
        <p className="text-table">{alert.remedy}</p>
        <p className="hint tabular-nums">
          {KIND_NAMES[alert.kind]} · <Times alert={alert} /> · <SeenBy alert={alert} />
        </p>
      </div>
      {!isSeen && (
        <Button
          size="small"
          icon={Eye}
          disabled={busy}
          onClick={onSeen}
          aria-label={`Mark “${alert.title}” as seen`}
        >
          Mark as seen
        </Button>
      )}
    </li>
  );
}

const LOOKS = {
  ended: { label: "Ended", tone: "finalized", icon: CircleCheck },
  clearing: { label: "Clearing", tone: "cancelled", icon: CircleDashed },
  critical: { label: "Critical", tone: "danger", icon: CircleAlert },
  warning: { label: "Warning", tone: "overdue", icon: TriangleAlert },
} as const;

const State = ({ alert: { endedAt, clearedAt, severity } }: { alert: ShownAlert }) => (
  <Badge {...LOOKS[endedAt ? "ended" : clearedAt ? "clearing" : severity]} />
);

function Times({ alert: { startedAt, clearedAt, endedAt } }: { alert: ShownAlert }) {
  if (!clearedAt)
    return (
      <>
        Since <Instant at={startedAt} />
      </>
    );
  return (
    <>
      <Instant at={startedAt} /> to <Instant at={clearedAt} />
      {endedAt === null && ", ends if it does not return"}
    </>
  );
}

function SeenBy({ alert: { seenBy } }: { alert: ShownAlert }) {
  if (seenBy.length === 0) return <>Not seen by anyone yet</>;
  return (
    <>
      Seen by{" "}
      {seenBy.map(({ email, at }, index) => (
        <span key={email} className="wrap-anywhere">
          {index > 0 && ", "}
          {email} (<Instant at={at} />)
        </span>
      ))}
    </>
  );
}
