"use client";

import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import {
  BellOff,
  CheckCheck,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Eye,
  Mail,
  SearchX,
  Send,
  TriangleAlert,
  Webhook,
} from "lucide-react";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { CheckFilter } from "@/app/(console)/batches/filters/filter-chip";
import { SwitchLinks } from "@/app/(console)/operations/switch-links";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useTRPC, useTRPCClient } from "@/app/data/trpc";
import { useChange } from "@/app/data/use-change";
import { Badge } from "@/app/ui/badge";
import { StaleBanner } from "@/app/ui/banner";
import { Button, Spinner } from "@/app/ui/button";
import { EmptyState } from "@/app/ui/empty-state";
import { QueryError } from "@/app/ui/error-state";
import { Instant } from "@/app/ui/instant";
import { MoreRows, pagedQuery } from "@/app/ui/paged-list";
import { Section } from "@/app/ui/section";
import { PageSkeleton } from "@/app/ui/skeleton";
import { ALERT_KINDS } from "@/server/alerts/kinds";
import type { Alert, ChannelState } from "@/server/alerts/schema";
import { type InboxParams, inboxParams, inboxQuery, KIND_NAMES, toAlertFilters } from "./inbox-params";

const CHANNEL_LOOKS = {
  webhook: { name: "Slack-compatible webhook", icon: Webhook, needs: "Set ALERT_WEBHOOK_URL" },
  email: { name: "Email", icon: Mail, needs: "Set SMTP_URL, MAIL_FROM and ALERT_EMAIL_TO" },
} as const;

/** Where alerts are sent besides the console. */
export function Channels() {
  const trpc = useTRPC();
  const query = useQuery(trpc.console.alerts.channels.queryOptions());
  return (
    <Section title="Where alerts are sent">
      <p className="text-label text-muted">
        The service sends one message when an alert starts, one if it becomes critical later and one when it
        ends. Alerts within a minute share a message. A contract is running out of points when its available
        points last less than 3 days at the average pace of its last 7 days.
      </p>
      {query.isError && (
        <p role="alert" className="text-danger text-table">
          {problemOf(query.error).detail}
        </p>
      )}
      <ul className="rounded-card border border-line bg-surface">
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
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <Icon aria-hidden size={16} className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium text-table">{name}</p>
        <p className="wrap-anywhere text-label text-muted">
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
  const { params, setParams, query, alerts } = useInbox();
  const { email } = useStaff();
  const mark = useMarkSeen();
  const unseen = alerts.filter(({ seenBy }) => seenBy.every((view) => view.email !== email));
  const clear = () => void setParams(null);
  const filtered = params.kind !== null || params.unseen !== null || params.state !== "open";
  if (query.isPending) return <PageSkeleton />;
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-title">Alerts</h1>
        {query.isPlaceholderData && <Spinner label="Loading" />}
        {unseen.length > 0 && (
          <Button
            icon={CheckCheck}
            className="ml-auto"
            disabled={mark.isPending}
            onClick={() => mark.mutate({ alertIds: unseen.slice(0, MARKED_MAX).map(({ id }) => id) })}
          >
            Mark all as seen
          </Button>
        )}
      </div>
      <InboxFilters {...{ params, setParams, filtered, clear }} />
      {mark.isError && (
        <p role="alert" className="text-danger text-table">
          {problemOf(mark.error).detail}
        </p>
      )}
      {query.isError && alerts.length > 0 && <StaleBanner what="list" />}
      {query.isError && alerts.length === 0 ? (
        <QueryError query={query} />
      ) : alerts.length === 0 ? (
        <Nothing filtered={filtered} onClear={clear} />
      ) : (
        <ul aria-label="Alerts" className="rounded-card border border-line bg-surface">
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
      )}
      {alerts.length > 0 && <MoreRows query={query} count={alerts.length} one="alert" many="alerts" />}
      <Channels />
    </div>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState icon={SearchX} title="No alerts match these filters">
        Ended alerts are kept for 90 days.
        <Button onClick={onClear}>Clear filters</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={BellOff} title="No open alerts">
      An alert appears here when batches are overdue, no finalizer runs, a ledger self-check fails, a batch is
      unusual, a batch or change awaits approval, a webhook is disabled, or a prefunded contract runs out of
      points.
    </EmptyState>
  );
}

const REFETCH_MS = 15_000;

/** The alerts that the URL's filters show. */
function useInbox() {
  const { list } = useTRPC().console.alerts;
  const client = useTRPCClient().console.alerts;
  const [params, setParams] = useQueryStates(inboxParams, { history: "push" });
  const query = useInfiniteQuery({
    ...pagedQuery(list, client.list.query, toAlertFilters(params)),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
  return { params, setParams, query, alerts: query.data?.pages.flatMap((page) => page.alerts) ?? [] };
}

/** Marks alerts as seen by the user, for the list and for what every page shows. */
function useMarkSeen() {
  const { alerts } = useTRPC().console;
  const refresh = useChange([alerts.list.infiniteQueryFilter(), alerts.summary.queryFilter()])();
  return useMutation(alerts.markSeen.mutationOptions(refresh));
}

const KINDS = ALERT_KINDS.map((value) => ({ value, name: KIND_NAMES[value] }));

interface InboxFiltersProps {
  params: InboxParams;
  setParams: (next: { kind?: InboxParams["kind"]; unseen?: true | null }) => unknown;
  filtered: boolean;
  clear: () => void;
}

export function InboxFilters({ params, setParams, filtered, clear }: InboxFiltersProps) {
  const { state, kind, unseen } = params;
  const link = (value: InboxParams["state"], label: string) => ({
    value,
    label,
    href: inboxQuery("/inbox", { ...params, state: value }),
  });
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-1.5 [&>nav]:ml-0">
      <SwitchLinks
        name="State"
        chosen={state}
        links={[link("open", "Open"), link("ended", "Ended"), link("all", "All")]}
      />
      <CheckFilter
        name="Kind"
        options={KINDS}
        chosen={kind}
        onChange={(next) => void setParams({ kind: next })}
      />
      <label className="flex h-[30px] cursor-pointer items-center gap-1.5 rounded-control border border-line bg-surface px-2 font-medium text-label text-muted hover:bg-hover has-checked:border-accent has-checked:bg-selected has-checked:text-text">
        <input
          type="checkbox"
          checked={unseen ?? false}
          onChange={(event) => void setParams({ unseen: event.target.checked ? true : null })}
          className="accent-accent"
        />
        Not seen by me
      </label>
      {filtered && (
        <Button variant="ghost" size="small" onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface AlertRowProps {
  alert: Alert;
  /** By the signed-in user. */
  isSeen: boolean;
  busy: boolean;
  onSeen: () => void;
}

export function AlertRow({ alert, isSeen, busy, onSeen }: AlertRowProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <div className="flex min-w-0 flex-1 basis-80 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <State alert={alert} />
          <Link
            href={alert.path}
            prefetch={false}
            className="wrap-anywhere min-w-0 rounded-badge font-semibold hover:text-accent"
          >
            {alert.title}
          </Link>
        </div>
        <p className="text-table">{alert.remedy}</p>
        <p className="text-label text-muted tabular-nums">
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

function State({ alert: { endedAt, clearedAt, severity } }: { alert: Alert }) {
  const { label, ...look } = LOOKS[endedAt ? "ended" : clearedAt ? "clearing" : severity];
  return <Badge {...look}>{label}</Badge>;
}

function Times({ alert: { startedAt, clearedAt, endedAt } }: { alert: Alert }) {
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

function SeenBy({ alert: { seenBy } }: { alert: Alert }) {
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
