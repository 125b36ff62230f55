import { v5 as uuidv5 } from "uuid";
import type { BatchReview } from "@/server/batches/list/findings";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { formatPoints, parseSum } from "@/server/kernel/values/points";
import type { ShownProblem } from "../../../../data/problem";
import type { Part, Transfer } from "../csv/checked";
import { partId } from "../csv/reference";

/** A checked file and how to submit it. */
export interface Plan {
  contractAddress: string;
  contractLabel: string;
  issuance: "ON_DEMAND" | "PREFUNDED";
  pointType: PointType;
  secondsToFinalize: number;
  reference: string;
  /** ID of the cancelled batch of the same contract that it corrects. */
  corrects?: string;
  fileName: string;
  rowCount: number;
  /** Exact total, decimal string. */
  points: string;
  parts: Part[];
  /** The rows stay in the worker that checked them. */
  readRows: (part: number) => Promise<Transfer[]>;
}

export type PartState =
  | { kind: "waiting" }
  | { kind: "trying" }
  /** The dry run succeeded. */
  | { kind: "ready"; finalizeAt: string; available: string; review: BatchReview | null }
  | { kind: "sending" }
  /** `before`: an earlier submit of the same rows stored it. */
  | { kind: "stored"; finalizeAt: string; available: string; before: boolean }
  | { kind: "refused"; problem: ShownProblem & { available?: string } };

export const isStored = (part: PartState) => part.kind === "stored";

export const idOfPart = (plan: Plan, part: number) => partId(plan.reference, part, plan.parts.length);

const FILE_NAME_CHARS_MAX = 120;
const UPLOADS = "5b0d6f0e-3a53-4c0b-9f0c-6c8e3a1f7d42";

/** The same for the same reference, so that a file that is chosen again continues its upload. */
export const uploadIdOf = ({ contractAddress, reference }: Pick<Plan, "contractAddress" | "reference">) =>
  uuidv5(`${contractAddress.toLowerCase()}/${reference}`, UPLOADS);

/** What links this part to the others; nothing for a file of one batch. */
export function uploadOfPart(plan: Plan, part: number) {
  const { fileName, parts } = plan;
  if (parts.length === 1) return {};
  const name = [...fileName.replaceAll("\0", "")].slice(0, FILE_NAME_CHARS_MAX).join("");
  const place = { part: part + 1, partCount: parts.length };
  return { upload: { id: uploadIdOf(plan), ...place, fileName: name || "file" } };
}

export interface Funds {
  before: string;
  after: string;
  /** Issued to an on-demand contract. */
  issued: string;
  /** What a prefunded contract still needs; "0" when it has enough. */
  shortfall: string;
}

/** The contract's balance after all parts that are not stored yet; null until the first reply. */
export function forecastFunds(
  plan: Pick<Plan, "parts" | "issuance">,
  states: readonly PartState[],
): Funds | null {
  const before = states.map(availableOf).find((available) => available !== undefined);
  if (before === undefined) return null;
  const available = parseSum(before);
  const needed = plan.parts.reduce(
    (sum, part, index) => (isStored(states[index]!) ? sum : sum + parseSum(part.points)),
    0n,
  );
  const short = needed > available ? needed - available : 0n;
  const isPrefunded = plan.issuance === "PREFUNDED";
  return {
    before,
    after: formatPoints(needed > available ? 0n : available - needed),
    issued: formatPoints(isPrefunded ? 0n : short),
    shortfall: formatPoints(isPrefunded ? short : 0n),
  };
}

function availableOf(state: PartState): string | undefined {
  if (state.kind === "ready" || state.kind === "stored") return state.available;
  return state.kind === "refused" ? state.problem.available : undefined;
}
