import { CircleDashed } from "lucide-react";
import { formatAmount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Spinner } from "@/app/ui/button";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { Fact, FactList, Section } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import type { LastCheck, SelfCheckState } from "@/server/operations/read-state";
import { CheckNow } from "./actions";
import { checkResult, countedFindings } from "./params";

export function SelfCheck({ check }: { check: SelfCheckState }) {
  const { last, lastGoodAt, isRunning, everyHours, round } = check;
  const result = checkResult(last);
  return (
    <Section
      title="Ledger self-check"
      note={everyHours === 0 ? "On demand only (SELF_CHECK_EVERY_HOURS=0)" : `Runs every ${everyHours} h`}
      actions={<CheckNow />}
    >
      <div className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4">
        <p className="text-muted text-table">
          Recomputes balances and batches from the transfers, and compares them with the stored values in one
          snapshot. The service keeps running. Scheduled checks cover all balances, new transfers and a slice
          of the older ones. “Check now” covers everything.
        </p>
        {isRunning && (
          <p className="flex items-center gap-2">
            <Spinner />A check is running.
          </p>
        )}
        {last ? (
          <FactList className="@2xl:grid-cols-2">
            <Fact name="Result">
              <Badge {...result}>{result.label}</Badge>
            </Fact>
            <Fact name="Checked">
              {last.isWhole
                ? `${formatAmount(String(last.batches))} batches, ${formatAmount(String(last.transfers))} transfers, ${formatAmount(String(last.accounts))} accounts`
                : "Incomplete"}
            </Fact>
            <Fact name="Scope">
              {last.reach === "whole"
                ? "Entire ledger"
                : "All balances, new transfers and a slice of older ones"}
            </Fact>
            {round && (
              <Fact name="Last full pass">
                <Instant at={round.finishedAt} />. Next pass: {round.slicesDone} of {round.slices} slices done
              </Fact>
            )}
            <Fact name="Finished">
              <Instant at={last.finishedAt} />, took {last.seconds} s
            </Fact>
            <Fact name="Started by">{last.startedBy}</Fact>
            {!last.isOk && (
              <Fact name="Last balanced">{lastGoodAt ? <Instant at={lastGoodAt} /> : "Never"}</Fact>
            )}
          </FactList>
        ) : (
          <p className="flex items-center gap-2">
            <CircleDashed aria-hidden size={14} className="text-muted" />
            No checks yet.{" "}
            {everyHours === 0
              ? "Use “Check now” to run one."
              : "The first one runs within minutes of startup."}
          </p>
        )}
        {last && !last.isOk && <Findings last={last} />}
      </div>
    </Section>
  );
}

function Findings({ last }: { last: LastCheck }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-medium text-table">
        {last.isWhole ? countedFindings(last.findings.length) : "Cause"}
      </h3>
      <ScrollRegion
        aria-label="Findings"
        className="max-h-72 overflow-y-auto rounded-control border border-line"
      >
        <ul className="text-table">
          {last.findings.map(({ rule, detail }) => (
            <li
              key={`${rule} ${detail}`}
              className="flex flex-col border-line border-t px-3 py-1.5 first:border-t-0"
            >
              <span className="text-label text-muted">{rule.replaceAll("_", " ")}</span>
              <span className="wrap-anywhere font-mono text-mono">{detail}</span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </div>
  );
}
