"use client";
import { CircleAlert, CircleCheck, CircleDashed, Eye, TriangleAlert } from "lucide-react";
import Link from "next/link";
import type { Alert } from "@/server/alerts/schema";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Instant } from "../../ui/instant";
import { KIND_NAMES } from "./kind-names";

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
