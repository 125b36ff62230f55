import type { Database } from "@/db/client";
import { type DayTotals, dayAfter, hashOf, type Link, NO_HASH, readLinks } from "./link";
import { MOVEMENT_NAMES, sumBefore, sumDays } from "./sum-days";

/** Days recomputed per read of the history. */
const DAYS_AT_ONCE = 31;

export interface ChainReport {
  ok: boolean;
  /** Number of valid links before the first invalid one. */
  days: number;
  first: string | null;
  last: string | null;
  /** The hash of the last valid link. */
  hash: string | null;
  /** The first invalid day, and why. */
  finding: { day: string; detail: string } | null;
}

/** Recomputes every link from the history, which is never deleted, and stops at the first invalid one. */
export async function checkChain({ sql }: Database): Promise<ChainReport> {
  const valid: { first: Link | null; last: Link | null; days: number } = { first: null, last: null, days: 0 };
  const report = (finding: ChainReport["finding"]): ChainReport => ({
    ok: finding === null,
    days: valid.days,
    first: valid.first?.day ?? null,
    last: valid.last?.day ?? null,
    hash: valid.last?.hash ?? null,
    finding,
  });
  for (;;) {
    const links = await readLinks(sql, valid.last && dayAfter(valid.last.day), DAYS_AT_ONCE);
    if (links.length === 0) return report(null);
    if (valid.first === null) {
      const early = await findEarlier(sql, links[0]!.day);
      if (early) return report(early);
    }
    const history = await sumDays(sql, links[0]!.day, links.length);
    for (const link of links) {
      const detail = findBreak(link, valid.last, history.get(link.day));
      if (detail) return report({ day: link.day, detail });
      valid.first ??= link;
      valid.last = link;
      valid.days++;
    }
  }
}

function findBreak(link: Link, before: Link | null, history: DayTotals[] | undefined): string | null {
  if (before && link.day !== dayAfter(before.day)) return `the link of ${dayAfter(before.day)} is missing`;
  if (link.previousHash !== (before?.hash ?? NO_HASH)) return "the link does not continue the previous one";
  if (link.hash !== hashOf(link)) return "the stored hash does not match the link";
  for (const recomputed of history ?? []) {
    const stored = link.totals.find(({ pointType }) => pointType === recomputed.pointType);
    for (const movement of MOVEMENT_NAMES) {
      const [inLink, inHistory] = [stored?.[movement] ?? "0", recomputed[movement]];
      if (inLink !== inHistory)
        return `${recomputed.pointType} ${movement}: ${inLink} in the link, ${inHistory} in the history`;
    }
  }
  return null;
}

/** History that somebody added before the first link. */
async function findEarlier(sql: Database["sql"], first: string): Promise<ChainReport["finding"]> {
  const before = await sumBefore(sql, first);
  const movement = MOVEMENT_NAMES.find((each) => before[each] !== "0");
  return movement
    ? { day: first, detail: `the history has ${before[movement]} points ${movement} before the first link` }
    : null;
}
