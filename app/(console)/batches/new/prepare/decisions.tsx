import { clsx } from "clsx";
import { CircleCheck, CircleHelp, Info, TriangleAlert, Undo2 } from "lucide-react";
import { useId } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { Amount, counted, formatAmount, formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { Choices } from "@/app/ui/fields";
import { Banner } from "@/app/ui/states";
import type { PointType } from "@/terms/batch-terms";
import type { Checked, FixCount, TotalRow, Treatment } from "@/terms/file/checked";
import { bounded, lossWords, printable } from "@/terms/file/file-words";
import type { FixKind } from "@/terms/file/row-errors";
import { parseSum } from "@/terms/points";
import type { FileUse } from "./use-file";

type DecisionsProps = { file: FileUse; pointType: PointType };

/** How the file writes numbers: `1,234.5` or `1.234,5`. Never guessed. */
function FormatChoice({ file, checked, pointType }: DecisionsProps & { checked: Checked }) {
  const { readings } = checked;
  const chosenFormat = file.treatment.format ?? checked.chosenFormat;
  if (readings.length < 2 && chosenFormat !== null) return null;
  const chosen = readings.findIndex(({ format }) => format === chosenFormat);
  const mostCount = Math.max(...readings.map(({ count }) => count));
  return (
    <div className="flex flex-col gap-2">
      {chosenFormat === null && (
        <Banner>These amounts can be read in more than one way. Choose how they are written.</Banner>
      )}
      <Choices
        legend="Number format of the amounts"
        name="numberFormat"
        options={readings.map((reading, at) => ({
          value: String(at),
          label: <span className="tabular-nums">{reading.format}</span>,
          // Once one is chosen, the result has the total.
          hint: chosenFormat === null && (
            <>
              {reading.count < mostCount && `${counted(reading.count, "amount", "amounts")}, `}
              total <Amount value={reading.sum} wraps className="font-medium text-text" />{" "}
              {TYPE_LABELS[pointType]}
            </>
          ),
        }))}
        chosen={[String(chosen)]}
        onChoose={(at) => file.treat({ format: readings[Number(at)]!.format })}
      />
    </div>
  );
}

/** What cannot be read from the file alone. Nothing here changes the file, and each choice can be undone. */
export function Decisions({ file, pointType }: DecisionsProps) {
  const checked = file.known;
  if (!checked || file.refused) return null;
  return (
    <div className="flex flex-col gap-3">
      <FormatChoice file={file} checked={checked} pointType={pointType} />
      <div className="flex flex-col gap-2 empty:hidden">
        {decisionsOf(checked, file.treatment).map((decision) => (
          <Decision key={decision.name} {...decision} treat={file.treat} />
        ))}
        <ul className="flex flex-col gap-1 hint">
          {checked.notes.map((note) => {
            const isDoubt = checked.doubts.includes(note);
            const Icon = isDoubt ? TriangleAlert : Info;
            return (
              <li
                key={note}
                className={clsx("flex items-start gap-2 break-words", isDoubt && "text-overdue")}
              >
                <Icon size={13} className="mt-0.5 shrink-0" />
                <span className="min-w-0">{note}</span>
              </li>
            );
          })}
        </ul>
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

export function decisionsOf(checked: Checked, treatment: Treatment): DecisionText[] {
  const { total, duplicateCount, below, paidAlready, fixes } = checked;
  const duplicates = counted(duplicateCount, "duplicate", "duplicates");
  const small = `${counted(below.count, "row", "rows")} below the minimum`;
  const decisions: (DecisionText | false | null)[] = [
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
  return decisions.filter((decision) => decision !== false && decision !== null);
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

const NAMES_SHOWN = 12;

function fixDecision(of: FixCount, applied: readonly FixKind[]): DecisionText {
  const { kind, count, names, first } = of;
  const named = [...names].map(([name, count]) => `${name} (${formatCount(count)})`);
  const line = `${count === 1 ? "Line" : "The first, line"} ${formatCount(first.line)}`;
  const example = `${line}: “${printable(first.value)}” instead of “${printable(first.given)}”.`;
  const question = `${FIX_WORDS[kind](of, bounded(named, NAMES_SHOWN))} ${example}`;
  const apply = count === 1 ? "Apply the suggestion" : `Apply all ${formatCount(count)} suggestions`;
  return {
    name: kind,
    question,
    choices: [[apply, { fixes: [...applied, kind] }]],
    done: applied.includes(kind) && `Applied. ${question}`,
    undo: { fixes: applied.filter((other) => other !== kind) },
  };
}

const ONE_CHAIN_ONLY = "A contract wallet may exist on that chain only.";

/** What is the matter with the values of a kind. */
const FIX_WORDS: Record<FixKind, (of: FixCount, names: string) => string> = {
  prefix: ({ count }, names) =>
    `${counted(count, "address names", "addresses name")} a chain or a site: ${names}. ${ONE_CHAIN_ONLY}`,
  checksum: ({ count }, names) =>
    `${counted(count, "address has", "addresses have")} the checksum of another chain: ${names}. ` +
    ONE_CHAIN_ONLY,
  decimals: ({ count, loss }) =>
    `${counted(count, "amount has", "amounts have")} more than 12 decimals or binary rounding noise. ` +
    `Rounded, ${lossWords(loss)}.`,
  exponent: ({ count }) =>
    `${counted(count, "amount is", "amounts are")} in scientific notation, as R, pandas and Postgres ` +
    "write it. Check each: a rounded number has lost digits.",
  form: ({ count }, names) =>
    `${counted(count, "value is", "values are")} written in another form, such as $10 or no 0x.` +
    `${names && ` Invisible marks: ${names}.`}`,
};

/** A question with a button for each answer, then the answer with a button that undoes it. */
function Decision({ question, choices, done, isOdd, undo, treat }: DecisionText & Pick<FileUse, "treat">) {
  const textId = useId();
  const isOpen = done === false;
  const Icon = isOpen ? CircleHelp : isOdd ? TriangleAlert : CircleCheck;
  return (
    <div
      className={clsx(
        "flex flex-wrap items-center gap-2 rounded-control px-3 text-table",
        isOpen ? "bg-overdue-ground py-2 text-overdue" : "border border-line bg-surface py-1.5",
      )}
    >
      <Icon size={15} className={clsx("shrink-0", isOpen || isOdd ? "text-overdue" : "text-finalized")} />
      <p id={textId} role="status" className="min-w-0 flex-1 basis-60">
        {isOpen ? question : done}
      </p>
      <span className="flex flex-wrap gap-2">
        {(isOpen ? choices : [["Undo", undo] as const]).map(([label, change], place) => (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: the button that undoes takes its focus
            key={place}
            aria-describedby={textId}
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
