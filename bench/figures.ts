import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { committedText, describeCommit, describeMachine, loadNow, type Machine } from "./machine";
import { short } from "./measure";
import type { Figure, PartReport } from "./report";

const FIGURES_FILE = "bench/figures.json";
/** A figure that got worse by more than this share is reported. */
const FALL = 0.2;

export interface KeptPart extends Required<PartReport> {
  at: string;
  /** With a `+` if there were uncommitted changes. */
  commit: string;
  /** Before and after the part. */
  load: [number, number];
}

export interface KeptFigures {
  machine: Machine;
  parts: Record<string, KeptPart>;
}

/** Saves a part's figures in the file. @returns the figures of all parts */
export function keepPart(name: string, report: PartReport, rounds: number, loadBefore: number): KeptFigures {
  const kept = readKept(existsSync(FIGURES_FILE) ? readFileSync(FIGURES_FILE, "utf8") : null);
  const part = {
    at: new Date().toISOString(),
    commit: describeCommit(),
    rounds,
    load: [loadBefore, loadNow()],
    ...report,
  };
  const figures = { machine: describeMachine(), parts: { ...kept?.parts, [name]: part as KeptPart } };
  writeFileSync(FIGURES_FILE, `${JSON.stringify(figures, rounded, 2)}\n`);
  return figures;
}

const rounded = (_key: string, value: unknown) =>
  typeof value === "number" ? Number(value.toPrecision(4)) : value;

const readKept = (text: string | null): KeptFigures | null => (text ? JSON.parse(text) : null);

/** A message for each figure that is more than a fifth worse than the committed one. */
export const regressionsOf = (name: string, report: PartReport): string[] =>
  regressionsBetween(readKept(committedText(FIGURES_FILE))?.parts[name]?.figures ?? [], report.figures);

export function regressionsBetween(before: readonly Figure[], now: readonly Figure[]): string[] {
  return now.flatMap((figure) => {
    const old = before.find(({ key }) => key === figure.key);
    if (!old || !figure.worse) return [];
    const share = figure.worse === "lower" ? figure.median / old.median : old.median / figure.median;
    if (share >= 1 - FALL) return [];
    return [`${figure.what}: ${short(figure.median)}, was ${short(old.median)} (committed)`];
  });
}

/** Whether a figure reaches its target. */
export function isReached({ median, target }: Figure): boolean {
  if (target?.atLeast !== undefined && median < target.atLeast) return false;
  return target?.atMost === undefined || median <= target.atMost;
}
