"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { BellOff, CircleAlert, TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useRef, useState } from "react";
import type { Decision } from "@/app/(console)/batches/batch/decision-dialog";
import { TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { Countdown } from "@/app/(console)/batches/status-badge";
import { QUEUE_EVERY_MS, useQueueState } from "@/app/(console)/queue-state";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useChange, useTRPC } from "@/app/data/trpc";
import { Amount, formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Button, ButtonLink, Link } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { isSingleKey, useWindowEvent } from "@/app/ui/hooks";
import { EmptyState, PageSkeleton, QueryError, StaleBanner } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { CardKind, Words } from "@/server/alerts/kinds";
import type { Card } from "@/server/alerts/queue";
import { Evidence } from "./evidence";

const DecisionDialog = dynamic(() => import("@/app/(console)/batches/batch/decision-dialog"));

/** Cards below show theirs when they are chosen. */
const EVIDENCE_MAX = 10;

interface Asked {
  card: Card;
  decision: Decision;
}

/** What waits for a person, most urgent first. Keys act on the chosen card. */
export function Queue() {
  const { alerts } = useTRPC().console;
  const { email, role } = useStaff();
  const query = useQuery(alerts.queue.queryOptions(undefined, { refetchInterval: QUEUE_EVERY_MS }));
  const mark = useMutation(alerts.markSeen.mutationOptions(useChange([alerts.pathFilter()])()));
  const [chosenId, choose] = useState<string>();
  const [asked, ask] = useState<Asked>();
  const list = useRef<HTMLUListElement>(null);
  const cards = query.data?.cards ?? [];
  const chosenAt = cards.findIndex(({ id }) => id === chosenId);
  // Stays chosen when a more urgent card appears above it, so that a key decides what the person has read.
  if (cards[0] && chosenAt < 0) choose(cards[0].id);
  const isSeen = ({ seenBy }: Card) => seenBy.some((view) => view.email === email);
  const decisionsOf = (card: Card) => (role === "viewer" ? [] : decisionsFor(card));
  const goTo = (index: number) => list.current?.children[index]?.querySelector<HTMLElement>("a")?.focus();
  /** The card moves down to those that are seen, and the next one is chosen. */
  const see = (card: Card) => {
    const unseen = cards.filter((one) => !isSeen(one));
    goTo(cards.indexOf(unseen[unseen.indexOf(card) + 1] ?? unseen[0] ?? card));
    mark.mutate({ cardIds: [card.id] });
  };

  useWindowEvent("keydown", (event) => {
    const card = cards[chosenAt];
    if (!card || !isSingleKey(event)) return;
    const key = event.key.toUpperCase();
    const decision = decisionsOf(card).find((one) => KEYS[one].key === key);
    const step = { J: 1, K: -1 }[key];
    if (decision) ask({ card, decision });
    else if (key === "S" && !isSeen(card)) see(card);
    else if (step) goTo(chosenAt + step);
    else return;
    event.preventDefault();
  });

  if (query.isPending) return <PageSkeleton />;
  if (!query.data) return <QueryError query={query} />;
  return (
    <>
      {query.isError && <StaleBanner />}
      {mark.isError && (
        <p role="alert" className="text-danger text-table">
          {problemOf(mark.error).detail}
        </p>
      )}
      {cards.length === 0 && (
        <EmptyState icon={BellOff} title="No open alerts">
          What waits for a person appears here: batches that are unusual, await approval or are on hold,
          payouts that are not released, and problems of the service.
        </EmptyState>
      )}
      <ul ref={list} aria-label="Alerts" className="card empty:hidden">
        {cards.map((card, index) => (
          <CardRow
            key={card.id}
            card={card}
            isChosen={index === chosenAt}
            withEvidence={index < EVIDENCE_MAX || index === chosenAt}
            onChoose={() => choose(card.id)}
          >
            {decisionsOf(card).map((decision) => (
              <Button key={decision} size="small" onClick={() => ask({ card, decision })}>
                {KEYS[decision].label}… <Key sign={KEYS[decision].key} />
              </Button>
            ))}
            {!isSeen(card) && (
              <Button size="small" variant="ghost" busy={mark.isPending} onClick={() => see(card)}>
                Seen <Key sign="S" />
              </Button>
            )}
          </CardRow>
        ))}
      </ul>
      {query.data.count > cards.length && (
        <p className="hint">
          The {cards.length} most urgent of {query.data.isWhole ? "" : "at least "}
          {formatCount(query.data.count)}. The next ones appear as these are decided.
        </p>
      )}
      {asked && <AskedDialog key={asked.card.id} {...asked} close={() => ask(undefined)} />}
    </>
  );
}

type Offered = Exclude<Decision, "reject">;

const KEYS: Record<Offered, { key: string; label: string }> = {
  approve: { key: "A", label: "Approve" },
  release: { key: "R", label: "Release" },
  hold: { key: "H", label: "Hold" },
  cancel: { key: "C", label: "Cancel" },
};

const OFFERED: Partial<Record<CardKind, readonly Offered[]>> = {
  batch: ["hold", "cancel"],
  approval: ["approve", "hold", "cancel"],
  hold: ["release", "cancel"],
};

/** A payout that is not released, or of many batches, is decided on its own page. */
const decisionsFor = ({ kind, batches }: Card): readonly Offered[] =>
  batches && batches.batchCount <= batches.batchIds.length ? (OFFERED[kind] ?? []) : [];

const Key = ({ sign }: { sign: string }) => (
  <kbd aria-hidden className="key ml-1 max-md:hidden">
    {sign}
  </kbd>
);

const KIND_NAMES = {
  check: "Self-check",
  tick: "Finalizer",
  overdue: "Overdue batches",
  run: "Failed runs",
  index: "Index by recipient",
  batch: "Unusual",
  approval: "Awaiting approval",
  proposal: "Proposed change",
  points: "Running out of points",
  webhook: "Disabled webhook",
  payout: "Not released",
  hold: "On hold",
} as const satisfies Record<CardKind, string>;

const LOOKS = {
  critical: { label: "Critical", tone: "danger", icon: CircleAlert },
  warning: { label: "Warning", tone: "overdue", icon: TriangleAlert },
} as const;

interface CardRowProps {
  card: Card;
  isChosen: boolean;
  withEvidence: boolean;
  onChoose: () => void;
  /** Its buttons. */
  children: ReactNode;
}

function CardRow({ card, isChosen, withEvidence, onChoose, children }: CardRowProps) {
  const { batches } = card;
  return (
    <li
      aria-current={isChosen || undefined}
      onFocus={onChoose}
      className={classNames("card-row flex flex-col gap-2", isChosen && "bg-selected")}
    >
      <CardWords badge={<Badge {...LOOKS[card.severity]} />} {...card}>
        {batches && (
          <span className="text-table @lg:ml-auto">
            {batches.points && (
              <>
                <Amount value={batches.points} className="font-medium" />
                {` ${TYPE_LABELS[batches.pointType]} in `}
              </>
            )}
            {transfersOf(batches.transferCount)}
            {card.dueAt && card.kind !== "hold" && <DueIn at={card.dueAt} />}
          </span>
        )}
      </CardWords>
      {batches && withEvidence && (card.kind === "batch" || card.kind === "approval") && (
        <Evidence batches={batches} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {children}
        {batches && decisionsFor(card).length === 0 && (
          <ButtonLink href={card.path} size="small">
            Open payout
          </ButtonLink>
        )}
        <CardTimes {...card} />
      </div>
    </li>
  );
}

function DueIn({ at }: { at: string }) {
  const asOf = useQueueState()?.now ?? at;
  const batch = { status: "PENDING", finalizeAt: at, heldAt: null, awaitsApproval: false } as const;
  return (
    <>
      , <Countdown batch={batch} asOf={asOf} lead="due " />
    </>
  );
}

interface CardWordsProps extends Omit<Words, "remedy"> {
  badge: ReactNode;
  remedy: ReactNode;
  children?: ReactNode;
}

/** Of a card, and of an alert that has ended. */
export const CardWords = ({ badge, title, remedy, path, children }: CardWordsProps) => (
  <>
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {badge}
      <Link href={path} className="wraps rounded-badge font-semibold hover:text-accent">
        {title}
      </Link>
      {children}
    </div>
    <p className="text-table">{remedy}</p>
  </>
);

interface CardTimesProps extends Pick<Card, "kind" | "startedAt" | "seenBy"> {
  clearedAt?: string;
}

export const CardTimes = ({ kind, startedAt, clearedAt, seenBy }: CardTimesProps) => (
  <p className="ml-auto hint tabular-nums">
    {KIND_NAMES[kind]} · {clearedAt ? "" : "since "}
    <Instant at={startedAt} />
    {clearedAt && " to "}
    {clearedAt && <Instant at={clearedAt} />}
    {seenBy.length > 0 ? " · Seen by " : clearedAt ? "" : " · Not seen by anyone yet"}
    {seenBy.map(({ email, at }, index) => (
      <span key={email} className="wrap-anywhere">
        {index > 0 && ", "}
        {email} (<Instant at={at} />)
      </span>
    ))}
  </p>
);

/** With the batch as it is now. It stays open when the card is gone, so that its person learns why. */
function AskedDialog({ card: { batches }, decision, close }: Asked & { close: () => void }) {
  const { contractAddress = "", batchId = "", batchIds = [] } = batches ?? {};
  const batch = useQuery(useTRPC().console.batches.get.queryOptions({ contractAddress, batchId }));
  if (!batch.data) return null;
  const others = batchIds.filter((id) => id !== batchId);
  // What the card says, which is about all of them.
  const { points = null, transferCount = 0 } = batches ?? {};
  const shown = points === null ? batch.data : { ...batch.data, points, transferCount };
  return <DecisionDialog decision={decision} batch={shown} others={others} close={close} />;
}
