"use client";

import { CircleCheck, CircleHelp, Info, TriangleAlert, Undo2 } from "lucide-react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { Amount, counted, formatAmount, formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { Choices } from "@/app/ui/fields";
import { Banner } from "@/app/ui/states";
import type { PointType } from "@/terms/batch-terms";
import type { AmountReading, Checked, FixCount, TotalRow, Treatment } from "@/terms/file/checked";
import { lossWords } from "@/terms/file/file-words";
import type { FixKind } from "@/terms/file/row-errors";
import { parseSum } from "@/terms/points";
import type { FileUse } from "./use-file";

interface FormatChoiceProps {
  file: FileUse;
  checked: Checked;
  pointType: PointType;
}

/** How the file writes numbers: `1,234.5` or `1.234,5`. Never guessed. */
function FormatChoice({ file, checked, pointType }: FormatChoiceProps) {
  const { readings, doubtCount } = checked;
  const { format, pieces } = file.treatment;
  if (readings.length === 0) return null;
  const chosenFormat = doubtCount > 0 && pieces === "ask" ? null : (format ?? checked.chosenFormat);
  const chosen = readings.findIndex(
    (reading) => reading.format === chosenFormat && (doubtCount === 0 || reading.pieces === pieces),
  );
  const mostCount = Math.max(...readings.map(({ count }) => count));
  return (
    <div className="flex flex-col gap-2">
      {chosenFormat === null && (
        <Banner>
          {doubtCount === 0
            ? "These amounts can be read in more than one way. Choose how they are written."
            : `${counted(doubtCount, "row has", "rows have")} numbers next to the amount that may be ` +
              "parts of it, like 1,000 without quotes. Compare the totals and choose."}
        </Banner>
      )}
      <Choices
        legend={doubtCount > 0 ? "How to read the amounts" : "Number format of the amounts"}
        name="numberFormat"
        kind="radio"
        options={readings.map((reading, at) => ({
          value: String(at),
          label: (
            <span className="flex flex-wrap gap-x-4 tabular-nums">
              {nameOf(reading, readings)}
              <Examples reading={reading} />
            </span>
          ),
          hint: (
            <>
              {reading.count < mostCount && `${counted(reading.count, "amount", "amounts")}, `}
              total <Amount value={reading.sum} wraps className="font-medium text-text" />{" "}
              {TYPE_LABELS[pointType]}
            </>
          ),
        }))}
        chosen={[String(chosen)]}
        onChoose={(at) => {
          const { format, pieces } = readings[Number(at)]!;
          file.treat({ format, ...(pieces !== "ask" && { pieces }) });
        }}
      />
    </div>
  );
}

function nameOf({ pieces, format }: AmountReading, all: readonly AmountReading[]): string {
  if (pieces === "ask") return format;
  if (pieces === "joined") return `One amount, ${format}`;
  return all.filter((other) => other.pieces === pieces).length > 1
    ? `Amount alone, ${format}`
    : "Amount alone";
}

/** Amounts that other readings read differently. */
function Examples({ reading }: { reading: AmountReading }) {
  return reading.examples.map(({ given, amount }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the file may contain an amount several times
    <span key={index} className="break-all font-mono font-normal text-mono">
      {given}
      {given !== amount && (
        <>
          {" "}
          <span className="text-muted">is</span> {amount}
        </>
      )}
    </span>
  ));
}

/** What cannot be read from the file alone. Nothing here changes the file, and each choice can be undone. */
export function Decisions({ file, pointType }: { file: FileUse; pointType: PointType }) {
  const checked = file.known;
  if (!checked || file.refused) return null;
  return (
    <div className="flex flex-col gap-3">
      <FormatChoice file={file} checked={checked} pointType={pointType} />
      <div className="flex flex-col gap-2 empty:hidden">
        {decisionsOf(checked, file.treatment).map(
          (decision) => decision && <Decision key={decision.name} {...decision} treat={file.treat} />,
        )}
        <FileNotes notes={checked.notes} />
      </div>
    </div>
  );
}

interface DecisionText {
  name: string;
  question: string;
  choices: readonly [label: string, change: Partial<Treatment>][];
  done: string | false;
  /** The decision may be wrong. */
  isOdd?: boolean;
  undo: Partial<Treatment>;
}

function decisionsOf(checked: Checked, treatment: Treatment): (DecisionText | false | null)[] {
  const { hiddenCount, total, duplicateCount, below, paidAlready, fixes } = checked;
  const { hiddenRows } = treatment;
  const hidden = counted(hiddenCount, "hidden row", "hidden rows");
  const duplicates = counted(duplicateCount, "duplicate", "duplicates");
  const small = `${counted(below.count, "row", "rows")} below the minimum`;
  return [
    hiddenCount > 0 && {
      name: "hidden",
      question:
        `The sheet has ${hidden}, perhaps filtered out. Choose whether ` +
        `${hiddenCount === 1 ? "it is" : "they are"} paid.`,
      choices: [
        [`Leave out ${hidden}`, { hiddenRows: "leave-out" }],
        ["Include", { hiddenRows: "include" }],
      ],
      done: hiddenRows !== "ask" && `${hidden} ${hiddenRows === "include" ? "included" : "left out"}`,
      undo: { hiddenRows: "ask" },
    },
    total && totalRow(total, treatment.leaveOutTotal),
    duplicateCount > 0 && {
      name: "duplicates",
      question: `${counted(duplicateCount, "row pays", "rows pay")} an address that an earlier row pays.`,
      choices: [
        [`Add up ${duplicates}`, { duplicates: "add-up" }],
        ["Keep the first", { duplicates: "keep-first" }],
      ],
      done: {
        refuse: false as const,
        "add-up": `${duplicates} added up: each address receives the sum of its rows`,
        "keep-first": `${duplicates} left out: each address receives the amount of its first row`,
      }[treatment.duplicates],
      undo: { duplicates: "refuse" },
    },
    below.count > 0 && {
      name: "below",
      question: `${small}, with ${formatAmount(below.points)} in all.`,
      choices: [[`Leave out ${counted(below.count, "row", "rows")}`, { belowMinimum: "leave-out" }]],
      done: below.leftOut.length > 0 && `${small} left out, with ${formatAmount(below.points)} in all`,
      undo: { belowMinimum: "refuse" },
    },
    paidAlready && {
      name: "paid",
      question: paidAlready.text,
      choices: [[`Pay ${counted(paidAlready.count, "row", "rows")} again`, { payAgain: true }]],
      done: treatment.payAgain && `Paid again. ${paidAlready.text}`,
      isOdd: true,
      undo: { payAgain: false },
    },
    ...fixes.map((fix) => fixDecision(fix, treatment.fixes)),
  ];
}

function totalRow({ line: at, points, above }: TotalRow, isLeftOut: boolean): DecisionText {
  const line = formatCount(at);
  const isSame = points !== null && parseSum(points) === parseSum(above);
  const comparison = isSame
    ? `It equals the sum of the rows above, ${formatAmount(above)}.`
    : `It has ${points === null ? "no amount" : formatAmount(points)}, but the rows above add up to ` +
      `${formatAmount(above)}.`;
  return {
    name: "total",
    question: `Line ${line} looks like a total. ${comparison}`,
    choices: [["Leave out the total row", { leaveOutTotal: true }]],
    done: isLeftOut && `Total in line ${line} left out. ${comparison}`,
    isOdd: !isSame,
    undo: { leaveOutTotal: false },
  };
}

function fixDecision(of: FixCount, applied: readonly FixKind[]): DecisionText {
  const [question, apply, done] = fixWords(of);
  return {
    name: of.kind,
    question,
    choices: [[apply, { fixes: [...applied, of.kind] }]],
    done: applied.includes(of.kind) && done,
    undo: { fixes: applied.filter((kind) => kind !== of.kind) },
  };
}

const NAMES_SHOWN = 12;

const ONE_CHAIN_ONLY = "A contract wallet may exist on that chain only.";

function fixWords({ kind, count, names, loss }: FixCount): [question: string, apply: string, done: string] {
  const shown = [...names].slice(0, NAMES_SHOWN).map(([name, of]) => `${name} (${formatCount(of)})`);
  if (names.size > shown.length) shown.push("…");
  const all = shown.join(", ");
  const addresses = counted(count, "address", "addresses");
  const amounts = counted(count, "amount", "amounts");
  switch (kind) {
    case "prefix":
      return [
        `${addresses} ${count === 1 ? "names" : "name"} a chain or a site: ${all}. ${ONE_CHAIN_ONLY}`,
        `Use the plain form of ${addresses}`,
        `Plain form of ${addresses} used, without ${all}`,
      ];
    case "checksum":
      return [
        `${counted(count, "address has", "addresses have")} the checksum of another chain: ${all}. ` +
          ONE_CHAIN_ONLY,
        `Accept ${addresses}`,
        `${addresses} with the checksum of another chain accepted: ${all}`,
      ];
    case "decimals":
      return [
        `${counted(count, "amount has", "amounts have")} more than 12 decimals or binary rounding noise. ` +
          `Rounded, ${lossWords(loss)}.`,
        `Round ${amounts}`,
        `${amounts} rounded: ${lossWords(loss)}`,
      ];
    case "exponent":
      return [
        `${counted(count, "amount is", "amounts are")} in scientific notation, as R, pandas, Postgres, ` +
          "DuckDB and SQLite write it. Check the list below: a rounded number has lost digits.",
        `Use the exact ${count === 1 ? "number" : "numbers"}`,
        `${amounts} in scientific notation read exactly`,
      ];
    case "apostrophe":
      return [
        `${counted(count, "reference begins", "references begin")} with an apostrophe, as spreadsheets ` +
          `mark a text. With it, ${count === 1 ? "it is another reference" : "they are other references"}.`,
        "Leave out the apostrophe",
        `${counted(count, "reference", "references")} read without the apostrophe`,
      ];
    case "form":
      return [
        `${counted(count, "value has", "values have")} a suggestion, in the list below.` +
          `${all && ` Invisible marks: ${all}.`}`,
        count === 1 ? "Apply the suggestion" : `Apply all ${formatCount(count)} suggestions`,
        `${counted(count, "suggestion", "suggestions")} applied` +
          `${all && `, without the invisible marks ${all}`}`,
      ];
  }
}

function FileNotes({ notes }: Pick<Checked, "notes">) {
  return (
    <ul className="flex flex-col gap-1 hint">
      {notes.map((note) => (
        <li key={note} className="flex items-start gap-2 break-words">
          <Info size={13} className="mt-0.5 shrink-0" />
          <span className="min-w-0">{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** A question with a button for each answer, then the answer with a button that undoes it. */
function Decision(props: DecisionText & { treat: FileUse["treat"] }) {
  const { question, choices, done, isOdd, undo, treat } = props;
  const isOpen = done === false;
  const Icon = isOpen ? CircleHelp : isOdd ? TriangleAlert : CircleCheck;
  return (
    <div
      className={classNames(
        "flex flex-wrap items-center gap-2 rounded-control px-3 text-table",
        isOpen ? "bg-overdue-ground py-2 text-overdue" : "border border-line bg-surface py-1.5",
      )}
    >
      <Icon
        size={15}
        className={classNames("shrink-0", isOpen || isOdd ? "text-overdue" : "text-finalized")}
      />
      <p role="status" className="min-w-0 flex-1 basis-60">
        {isOpen ? question : done}
      </p>
      <span className="flex flex-wrap gap-2">
        {(isOpen ? choices : [["Undo", undo] as const]).map(([label, change], place) => (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: the button that undoes takes its focus
            key={place}
            size="small"
            variant={isOpen ? undefined : "ghost"}
            icon={isOpen ? undefined : Undo2}
            // The second click of a double click would undo the first.
            onClick={({ detail }) => detail < 2 && treat(change)}
          >
            {label}
          </Button>
        ))}
      </span>
    </div>
  );
}
