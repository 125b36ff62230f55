"use client";
import { Amount, formatCount } from "../../../../ui/amount";
import { classNames } from "../../../../ui/class-names";
import { formatDuration } from "../../../../ui/duration";
import { Fact, FactList } from "../../../../ui/fact-list";
import { HashText } from "../../../../ui/hash-text";
import { Instant } from "../../../../ui/instant";
import { useTimeZone } from "../../../../ui/time-zone";
import { TYPE_LABELS } from "../../status";
import { forecastFunds } from "./funds";
import { isStored, type PartState, type Plan } from "./plan";

const WRAPS = "whitespace-normal! break-all";

interface PlanFactsProps {
  plan: Plan;
  states: readonly PartState[];
  /** Hides the forecast. */
  sent?: boolean;
}

export function PlanFacts({ plan, states, sent = false }: PlanFactsProps) {
  const { zone } = useTimeZone();
  const funds = sent ? null : forecastFunds(plan, states);
  const stored = states.filter(isStored).length;
  const due = states
    .flatMap((state) => ("finalizeAt" in state && state.finalizeAt ? [state.finalizeAt] : []))
    .sort();
  return (
    <FactList className="sm:grid-cols-2">
      <Fact name="Contract">
        <span className="flex min-w-0 flex-col items-end">
          <span>{plan.contractLabel}</span>
          <HashText value={plan.contractAddress} what="contract address" className="text-muted" />
        </span>
      </Fact>
      <Fact name="File">
        <span className="break-all">{plan.fileName}</span>
      </Fact>
      <Fact name="Transfers">{formatCount(plan.rowCount)}</Fact>
      <Fact name={`Total (${TYPE_LABELS[plan.pointType]})`}>
        <Amount value={plan.points} className={`${WRAPS} font-medium`} />
      </Fact>
      <Fact name="Batches">
        {formatCount(plan.parts.length)}
        {stored > 0 && !sent && ` (${formatCount(stored)} already submitted)`}
      </Fact>
      <Fact name={`Due (${zone})`}>
        {due[0] ? (
          <span>
            <Instant at={due[0]} className="tabular-nums" />
            {!sent && stored === 0 && <span className="text-muted"> if submitted now</span>}
          </span>
        ) : (
          `${formatDuration(plan.secondsToFinalize)} after submission`
        )}
      </Fact>
      {funds && (
        <>
          <Fact name="Available now">
            <Amount value={funds.before} className={WRAPS} />
          </Fact>
          <Fact name="Available after">
            <Amount value={funds.after} className={WRAPS} />
          </Fact>
          {plan.issuance === "ON_DEMAND" ? (
            <Fact name="To be issued">
              <Amount value={funds.issued} className={WRAPS} />
            </Fact>
          ) : (
            <Fact name="Shortfall">
              <Amount
                value={funds.shortfall}
                className={classNames(WRAPS, funds.shortfall !== "0" && "text-danger")}
              />
            </Fact>
          )}
        </>
      )}
    </FactList>
  );
}
