"use client";
import { CircleCheck, CircleHelp, Info, TriangleAlert, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { PointType } from "@/server/kernel/values/point-types";
import { formatAmount } from "../../../../ui/amount";
import { Button } from "../../../../ui/button";
import { classNames } from "../../../../ui/class-names";
import { counted } from "../../../../ui/counted";
import type { Checked } from "../csv/check-rows";
import { FormatChoice } from "./format-choice";
import type { FileUse } from "./use-file";

interface DecisionsProps {
  file: FileUse;
  pointType: PointType;
}

/** What cannot be read from the file alone. Nothing here changes the file, and each choice can be undone. */
export function Decisions({ file, pointType }: DecisionsProps) {
  const checked = file.checked ?? file.previous;
  if (!checked || file.refused) return null;
  return (
    <div className="flex flex-col gap-3">
      <FormatChoice file={file} checked={checked} pointType={pointType} />
      <div className="flex flex-col gap-2 empty:hidden">
        <HiddenRows file={file} checked={checked} />
        <TotalRow file={file} checked={checked} />
        <Duplicates file={file} checked={checked} />
        <Suggestions file={file} checked={checked} />
        <WorkbookNotes file={file} />
      </div>
    </div>
  );
}

interface ChoiceProps {
  file: FileUse;
  checked: Checked;
}

function HiddenRows({ file, checked }: ChoiceProps) {
  const { hiddenRows } = file.treatment;
  if (checked.hiddenCount === 0) return null;
  const rows = counted(checked.hiddenCount, "hidden row", "hidden rows");
  if (hiddenRows !== "ask") {
    return (
      <Done onUndo={() => file.treat({ hiddenRows: "ask" })}>
        {rows} {hiddenRows === "include" ? "included" : "left out"}
      </Done>
    );
  }
  return (
    <Question
      text={`The sheet has ${rows}, perhaps filtered out. Choose whether ${checked.hiddenCount === 1 ? "it is" : "they are"} paid.`}
    >
      <Button size="small" onClick={() => file.treat({ hiddenRows: "leave-out" })}>
        Leave out {rows}
      </Button>
      <Button size="small" onClick={() => file.treat({ hiddenRows: "include" })}>
        Include
      </Button>
    </Question>
  );
}

function TotalRow({ file, checked }: ChoiceProps) {
  const { total } = checked;
  if (!total) return null;
  const line = formatAmount(String(total.line));
  const isSame = total.points !== null && sameAmount(total.points, total.above);
  const comparison = isSame
    ? `It equals the sum of the rows above, ${formatAmount(total.above)}.`
    : `It says ${total.points === null ? "no amount" : formatAmount(total.points)}, but the rows above add up to ${formatAmount(total.above)}.`;
  if (file.treatment.leaveOutTotal) {
    return (
      <Done isOdd={!isSame} onUndo={() => file.treat({ leaveOutTotal: false })}>
        Total in line {line} left out. {comparison}
      </Done>
    );
  }
  return (
    <Question text={`Line ${line} looks like a total. ${comparison}`}>
      <Button size="small" onClick={() => file.treat({ leaveOutTotal: true })}>
        Leave the total row out
      </Button>
    </Question>
  );
}

/** `10.50` and `10.5`. */
const sameAmount = (one: string, other: string) => {
  const shortest = (amount: string) => (amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount);
  return shortest(one) === shortest(other);
};

function Duplicates({ file, checked }: ChoiceProps) {
  const { duplicates } = file.treatment;
  if (checked.duplicateCount === 0) return null;
  const rows = counted(checked.duplicateCount, "duplicate", "duplicates");
  if (duplicates !== "refuse") {
    return (
      <Done onUndo={() => file.treat({ duplicates: "refuse" })}>
        {duplicates === "add-up"
          ? `${rows} added up: each address receives the sum of its rows`
          : `${rows} left out: each address receives the amount of its first row`}
      </Done>
    );
  }
  return (
    <Question
      text={`${counted(checked.duplicateCount, "row pays", "rows pay")} an address that an earlier row pays.`}
    >
      <Button size="small" onClick={() => file.treat({ duplicates: "add-up" })}>
        Add up {rows}
      </Button>
      <Button size="small" onClick={() => file.treat({ duplicates: "keep-first" })}>
        Keep the first
      </Button>
    </Question>
  );
}

function Suggestions({ file, checked }: ChoiceProps) {
  if (checked.suggestionCount === 0) return null;
  if (file.treatment.suggestions) {
    return (
      <Done onUndo={() => file.treat({ suggestions: false })}>
        {counted(checked.appliedCount, "suggestion", "suggestions")} applied
      </Done>
    );
  }
  return (
    <Question
      text={`${counted(checked.suggestionCount, "value has", "values have")} a suggestion, in the list below.`}
    >
      <Button size="small" onClick={() => file.treat({ suggestions: true })}>
        {checked.suggestionCount === 1
          ? "Apply the suggestion"
          : `Apply all ${formatAmount(String(checked.suggestionCount))} suggestions`}
      </Button>
    </Question>
  );
}

/** What a workbook's cells do not show. */
function WorkbookNotes({ file }: { file: FileUse }) {
  const { titleRows = 0, formulaCounts = [], cleaned = [] } = file.loaded?.workbook ?? {};
  const { points } = file.map;
  const formulas = points === null ? 0 : (formulaCounts[points] ?? 0);
  const clean = points === null ? undefined : cleaned[points];
  const notes = [
    titleRows > 0 && `${counted(titleRows, "title row", "title rows")} above the table skipped.`,
    formulas > 0 &&
      `${counted(formulas, "amount is the result of a formula", "amounts are results of formulas")}, as last saved.`,
    clean &&
      `${counted(clean.count, "amount is", "amounts are")} stored with more than the 15 digits that a spreadsheet keeps, and read as shown there: ${clean.stored} is ${clean.text}.`,
  ].filter((note) => typeof note === "string");
  if (notes.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-label text-muted">
      {notes.map((note) => (
        <li key={note} className="flex items-start gap-2 break-words">
          <Info aria-hidden size={13} className="mt-0.5 shrink-0" />
          <span className="min-w-0">{note}</span>
        </li>
      ))}
    </ul>
  );
}

function Question({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-control bg-overdue-ground px-3 py-2 text-overdue text-table">
      <CircleHelp aria-hidden size={15} className="shrink-0" />
      <p className="min-w-0 flex-1 basis-60">{text}</p>
      <span className="flex flex-wrap gap-2">{children}</span>
    </div>
  );
}

function Done({ isOdd, onUndo, children }: { isOdd?: boolean; onUndo: () => void; children: ReactNode }) {
  const Icon = isOdd ? TriangleAlert : CircleCheck;
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-control border border-line bg-surface px-3 py-1.5 text-table">
      <Icon
        aria-hidden
        size={15}
        className={classNames("shrink-0", isOdd ? "text-overdue" : "text-finalized")}
      />
      <p role="status" className="min-w-0 flex-1 basis-60">
        {children}
      </p>
      <Button variant="ghost" size="small" onClick={onUndo}>
        <Undo2 aria-hidden size={13} />
        Undo
      </Button>
    </div>
  );
}
