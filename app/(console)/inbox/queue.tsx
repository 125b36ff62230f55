import { useMutation, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { BellOff, CircleAlert, TriangleAlert } from "lucide-react";
import { type ReactNode, type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { Decision } from "@/app/(console)/batches/batch/decision-dialog";
import { batchesOf, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { Countdown } from "@/app/(console)/batches/status-badge";
import { QUEUE_EVERY_MS } from "@/app/(console)/queue-state";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useChange, useTRPC } from "@/app/data/trpc";
import { Amount, counted, formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Button, ButtonLink, Link, TextLink } from "@/app/ui/button";
import { isSingleKey, useWindowEvent } from "@/app/ui/hooks";
import { later } from "@/app/ui/later";
import { EmptyState, PageSkeleton, QueryError, StaleBanner } from "@/app/ui/states";
import { Instant } from "@/app/ui/time";
import type { CardKind, Severity, Words } from "@/server/alerts/kinds";
import type { Card } from "@/server/alerts/queue";
import type { BatchFilters } from "@/terms/filters";
import { Evidence } from "./evidence";

const DecisionDialog = later(() => import("@/app/(console)/batches/batch/decision-dialog"));
const BulkDialog = later(() => import("@/app/(console)/batches/bulk-dialog"));
const CheckNow = later(() => import("@/app/(console)/operations/actions").then((all) => all.CheckNow));
const RunNow = later(() => import("@/app/(console)/operations/actions").then((all) => all.RunNow));
const Checklist = later(() => import("@/app/(console)/setup/checklist"));

/** Cards below show theirs when they are chosen. */
const EVIDENCE_MAX = 10;

interface Asked {
  card: Card;
  decision: Offered;
}

/** Marks cards as seen, or as not seen again. */
export function useMark() {
  const { alerts } = useTRPC().console;
  return useMutation(alerts.markSeen.mutationOptions(useChange([alerts.pathFilter()])()));
}

interface MarkProps {
  mark: ReturnType<typeof useMark>;
}

/** What waits for a person, most urgent first. Keys act on the chosen card. */
export function Queue({ mark }: MarkProps) {
  const { alerts } = useTRPC().console;
  const { role } = useStaff();
  const query = useQuery(alerts.queue.queryOptions(undefined, { refetchInterval: QUEUE_EVERY_MS }));
  const [chosenId, choose] = useState<string>();
  const [asked, ask] = useState<Asked>();
  const list = useRef<HTMLUListElement>(null);
  const cards = useStillCards(query.data?.cards, query.dataUpdatedAt, list);
  const chosenAt = cards.findIndex(({ id }) => id === chosenId);
  // Stays chosen when a more urgent card appears above it, so that a key decides what the person has read.
  if (cards[0] && chosenAt < 0) choose(cards[0].id);
  const unseen = cards.filter(({ isSeen }) => !isSeen);
  const decisionsOf = (card: Card) => (role === "viewer" ? [] : decisionsFor(card));
  const letPaid = role === "viewer" ? "Mark as checked" : "Let it be paid";
  const goTo = (index: number) => list.current?.children[index]?.querySelector<HTMLElement>("a")?.focus();
  /** The next card that is not seen is chosen. */
  const see = (card: Card) => {
    goTo(cards.indexOf(unseen[unseen.indexOf(card) + 1] ?? unseen[0] ?? card));
    mark.mutate({ cardIds: [card.id], isSeen: true, readAt: query.data?.readAt });
  };

  useWindowEvent("keydown", (event) => {
    const card = cards[chosenAt];
    if (!card || !isSingleKey(event)) return;
    const key = event.key.toUpperCase();
    const decision = decisionsOf(card).find((one) => KEYS[one].key === key);
    const step = { J: 1, K: -1 }[key];
    if (step) goTo(chosenAt + step);
    // A key that is held repeats itself.
    else if (decision && !event.repeat) ask({ card, decision });
    // No single key lets a batch be paid.
    else if (key === "S" && !event.repeat && !card.isSeen && card.kind !== "batch") see(card);
    else return;
    event.preventDefault();
  });

  if (query.isPending) return <PageSkeleton />;
  if (!query.data) return <QueryError query={query} />;
  const { count, isWhole } = query.data;
  return (
    <>
      {query.isError && <StaleBanner />}
      {count === 0 && (
        <EmptyState icon={BellOff} title="No open alerts">
          What waits for a person appears here: batches that are unusual, await approval or stay on hold for
          long, payouts that are not released, changes to approve, and problems of the service.
        </EmptyState>
      )}
      {count > cards.length && (
        <p className="hint">
          {cards.length} of {isWhole ? "" : "at least "}
          {formatCount(count)}. The next ones appear as these are decided.{" "}
          <TextLink href="/batches?review=unusual&unblocked=true&sort=DUE">List all unusual batches</TextLink>
        </p>
      )}
      <ul ref={list} aria-label="Alerts" className="card empty:hidden">
        {cards.map((card, index) => (
          <CardRow
            key={card.id}
            card={card}
            isChosen={index === chosenAt && cards.length > 1}
            withEvidence={index < EVIDENCE_MAX || index === chosenAt}
            onChoose={() => choose(card.id)}
          >
            {decisionsOf(card).map((decision) => (
              <Button key={decision} size="small" onClick={() => ask({ card, decision })}>
                {KEYS[decision].label} {card.batches && whomOf(card.batches.batchCount)}…{" "}
                <Key sign={KEYS[decision].key} />
              </Button>
            ))}
            {card.isSeen ? (
              <Button
                size="small"
                busy={mark.isPending}
                // The second click of a double click would undo the first.
                onClick={({ detail }) => detail < 2 && mark.mutate({ cardIds: [card.id], isSeen: false })}
              >
                Mark as not {card.kind === "batch" ? "checked" : "seen"}
              </Button>
            ) : (
              <Button size="small" busy={mark.isPending} onClick={() => see(card)}>
                {card.kind === "batch" ? letPaid : "Mark as seen"} {card.kind !== "batch" && <Key sign="S" />}
              </Button>
            )}
            {mark.isError && mark.variables.cardIds[0] === card.id && (
              <span role="alert" className="text-danger text-table">
                {problemOf(mark.error).detail}
              </span>
            )}
          </CardRow>
        ))}
      </ul>
      <Checklist />
      {asked && <AskedDialog key={asked.card.id} {...asked} close={() => ask(undefined)} />}
    </>
  );
}

const IN_USE = ":has(button:is(:hover, :focus), a:hover)";

/**
 * The cards of the last answer. While a button is under the pointer or has the focus, nothing above it moves:
 * a click decides what its person has read. What is new appears below, and in its place with a later answer.
 */
function useStillCards(
  cards: readonly Card[] = [],
  answeredAt: number,
  list: RefObject<HTMLUListElement | null>,
): readonly Card[] {
  const [shown, show] = useState(cards);
  const hadFocus = useRef(false);
  const update = useEffectEvent(() => {
    const used = [...(list.current?.children ?? [])].findIndex((row) => row.matches(IN_USE));
    const held =
      shown[used] && cards.some(({ id }) => id === shown[used]!.id) ? shown.slice(0, used + 1) : [];
    hadFocus.current = list.current?.matches(":focus-within") ?? false;
    const now = new Map(cards.map((card) => [card.id, card]));
    const kept = held.map((card) => now.get(card.id) ?? card);
    show([...kept, ...cards.filter(({ id }) => !held.some((card) => card.id === id))]);
  });
  useLayoutEffect(() => {
    if (answeredAt > 0) update();
  }, [answeredAt]);
  useLayoutEffect(() => {
    // The card that had it is decided and gone.
    if (shown && hadFocus.current && !list.current?.matches(":focus-within"))
      list.current?.querySelector("a")?.focus();
  }, [shown, list]);
  return shown;
}

/** In the heading: marks as seen what may be together, and takes back what was marked last. */
export function Seeing({ mark }: MarkProps) {
  const { variables: last, isSuccess, isPending } = mark;
  const { data } = useQuery(useTRPC().console.alerts.queue.queryOptions());
  const unseen = data?.cards.filter(({ isSeen }) => !isSeen) ?? [];
  // Who has seen an unusual one has checked it, by name.
  const together = unseen.filter(({ kind, severity }) => kind !== "batch" && severity !== "critical");
  const cardIds = together.map(({ id }) => id);
  const readAt = data?.readAt;
  const isChecked = data?.cards.some(({ kind, id }) => kind === "batch" && id === last?.cardIds[0]);
  return (
    <>
      <p role="status" className="flex items-center gap-2 text-table empty:sr-only">
        {isSuccess && last.isSeen && (
          <>
            {isChecked
              ? "Checked. It is paid when it is due."
              : `${counted(last.cardIds.length, "alert", "alerts")} marked as seen.`}
            <Button size="small" onClick={() => mark.mutate({ cardIds: last.cardIds, isSeen: false })}>
              Undo
            </Button>
          </>
        )}
      </p>
      {cardIds.length > 1 && (
        <Button size="small" busy={isPending} onClick={() => mark.mutate({ cardIds, isSeen: true, readAt })}>
          Mark {cardIds.length === data?.count ? "all" : cardIds.length} as seen
        </Button>
      )}
    </>
  );
}

type Offered = Exclude<Decision, "reject">;
const whomOf = (count: number) => (count === 1 ? "batch" : batchesOf(count));

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

/** A payout that is not released, or of many batches, is decided on its own page, and so is a proposal. */
function decisionsFor({ kind, batches }: Card): readonly Offered[] {
  if (!batches || (!batches.isReversal && batches.batchCount > batches.batchIds.length)) return [];
  const offered = OFFERED[kind] ?? [];
  return batches.isHeld ? offered.map((one) => (one === "hold" ? "release" : one)) : offered;
}

const Key = ({ sign }: { sign: string }) => (
  <kbd aria-hidden className="key ml-1 max-md:hidden">
    {sign}
  </kbd>
);

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
  // What waits for a person is not overdue.
  const stopped = { status: "PENDING", heldAt: null, awaitsApproval: card.kind !== "batch" } as const;
  return (
    <li
      aria-current={isChosen || undefined}
      onFocus={onChoose}
      className={clsx("card-row flex flex-col gap-2", isChosen && "bg-selected", card.isSeen && "text-muted")}
    >
      <CardWords {...card}>
        {batches && (
          <span className="text-table @lg:ml-auto">
            {batches.points && (
              <>
                <Amount value={batches.points} className="font-medium" />
                {` ${TYPE_LABELS[batches.pointType]} in `}
              </>
            )}
            {transfersOf(batches.transferCount)}
            {card.kind === "payout" &&
              ` in ${formatCount(batches.batchCount)} of ${batchesOf(batches.partCount ?? 0)}`}
            {card.dueAt && card.kind !== "hold" && (
              <>
                , <Countdown batch={{ ...stopped, finalizeAt: card.dueAt }} lead="due " />
              </>
            )}
          </span>
        )}
      </CardWords>
      {batches &&
        withEvidence &&
        !batches.isReversal &&
        (card.kind === "batch" || card.kind === "approval") && <Evidence batches={batches} />}
      {card.change && (
        <p className="wrap-anywhere text-table">
          Now: {card.change.before}. Proposed: <span className="font-medium">{card.change.after}</span>.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {children}
        {/* Last, since its code may come later, and would move what is beside it below a click. */}
        <Remedy card={card} />
        <CardTimes {...card} />
      </div>
    </li>
  );
}

/** What a card offers besides decisions about its batches. */
function Remedy({ card }: { card: Card }) {
  const { kind, batches } = card;
  if (kind === "check") return <CheckNow size="small" />;
  if (kind === "tick" || kind === "overdue" || kind === "run") return <RunNow size="small" />;
  if (kind === "unread" || decisionsFor(card).length > 0) return null;
  return (
    <ButtonLink href={card.path} size="small">
      {batches ? "Open payout" : kind === "proposal" ? "Decide" : "Open"}
    </ButtonLink>
  );
}

interface CardWordsProps extends Omit<Words, "remedy"> {
  severity: Severity;
  remedy: ReactNode;
  children?: ReactNode;
}

/** Of a card, and of an alert that has ended. */
export const CardWords = ({ severity, title, remedy, path, children }: CardWordsProps) => (
  <>
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge {...LOOKS[severity]} />
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
    {!clearedAt && (kind === "hold" ? "On hold since " : "Since ")}
    <Instant at={startedAt} />
    {clearedAt && " to "}
    {clearedAt && <Instant at={clearedAt} />}
    {seenBy.length > 0 && ` · ${kind === "batch" ? "Checked" : "Seen"} by `}
    {seenBy.map(({ email, at }, index) => (
      <span key={email} className="wrap-anywhere">
        {index > 0 && ", "}
        {email} (<Instant at={at} />)
      </span>
    ))}
  </p>
);

/** Which of a payout's batches, or of what takes it back, a card is about. */
const STATES: Partial<Record<CardKind, BatchFilters>> = {
  batch: { unusual: true, unblocked: true },
  approval: { awaitingApproval: true },
  hold: { held: true },
};

/** With the batches as they are now. It stays open when the card is gone, so that its person learns why. */
function AskedDialog({ card: { kind, batches }, decision, close }: Asked & { close: () => void }) {
  const { contractAddress = "", batchId = "", batchIds = [], payoutId = null } = batches ?? {};
  const reversals = batches?.isReversal;
  const isMany = batchIds.length > 1;
  const { get } = useTRPC().console.batches;
  const batch = useQuery(get.queryOptions({ contractAddress, batchId }, { enabled: !isMany }));
  if (isMany) {
    const keys = batchIds.map((id) => ({ contractAddress, batchId: id }));
    // A rule weighs the sum of a payout, so that it is approved as a whole. What takes it back has no page.
    const isWhole = payoutId !== null && (decision === "approve" || reversals);
    const chosen = isWhole
      ? { filters: { contractAddress, payoutId, reversals, ...STATES[kind] } }
      : { keys };
    const noun = reversals ? "take back of" : kind === "batch" ? "unusual batches of" : "payout";
    const whose = `the ${noun} ${batches?.fileName ?? payoutId} of ${batches?.label}`;
    return <BulkDialog action={decision} chosen={chosen} whose={whose} close={close} />;
  }
  if (!batch.data) return null;
  return <DecisionDialog decision={decision} batch={batch.data} close={close} />;
}
