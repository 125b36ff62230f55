import type { PointType } from "@/terms/batch-terms";
import { formatPoints, parsePoints } from "@/terms/points";

/** In both point types. */
export const APPROVAL_THRESHOLD = "5";

export type ModelStatus = "PENDING" | "CANCELLED" | "FINALIZED";

export interface ModelBatch {
  contract: string;
  id: string;
  pointType: PointType;
  /** 0 is due immediately, 3600 only after the clock moved. */
  wait: number;
  rows: readonly (readonly [to: string, points: string, reference?: string])[];
  /** Its only metadata. */
  campaign?: string | undefined;
  status: ModelStatus;
  isDue: boolean;
  /** Set when the batch is stored: whether somebody must approve it first. */
  awaitsApproval?: boolean;
  /** On a reversal: the ID of the batch that it takes back. Its rows are who gives up how much. */
  reverses?: string;
}

interface ModelAccount {
  earned: bigint;
  received: bigint;
  sent: bigint;
  pending: bigint;
}

const totalOf = (batch: Pick<ModelBatch, "rows">) =>
  batch.rows.reduce((sum, [, points]) => sum + parsePoints(points), 0n);
const contentOf = ({ contract, pointType, wait, rows, campaign, reverses }: ModelBatch) =>
  JSON.stringify([
    contract,
    reverses ?? null,
    pointType,
    wait,
    campaign ?? null,
    rows.map(([to, points, reference]) => [to, formatPoints(parsePoints(points)), reference]),
  ]);

/** The ledger as it should be: the simplest correct model, in memory. */
export class LedgerModel {
  readonly batches: ModelBatch[] = [];
  readonly accounts = new Map<string, ModelAccount>();
  readonly prefunded: ReadonlySet<string>;

  /** @param ruled the contract whose batches of at least `APPROVAL_THRESHOLD` need approval */
  constructor(
    prefunded: readonly string[],
    private readonly ruled?: string,
  ) {
    this.prefunded = new Set(prefunded);
  }

  account(address: string, pointType: PointType): ModelAccount {
    const key = `${address} ${pointType}`;
    const known = this.accounts.get(key) ?? { earned: 0n, received: 0n, sent: 0n, pending: 0n };
    this.accounts.set(key, known);
    return known;
  }

  available(address: string, pointType: PointType): bigint {
    const { earned, received, sent, pending } = this.account(address, pointType);
    return earned + received - sent - pending;
  }

  /** What a contract's batches have paid and its reversals have not taken back, by address. */
  paidBy(contract: string, pointType: PointType): Map<string, bigint> {
    const held = new Map<string, bigint>();
    for (const batch of this.batches)
      if (batch.contract === contract && batch.pointType === pointType && batch.status === "FINALIZED")
        for (const [to, points] of batch.rows) {
          const change = parsePoints(points) * (batch.reverses === undefined ? 1n : -1n);
          held.set(to, (held.get(to) ?? 0n) + change);
        }
    return held;
  }

  find(contract: string, id: string): ModelBatch | undefined {
    return this.batches.find((batch) => batch.contract === contract && batch.id === id);
  }

  grant(contract: string, pointType: PointType, points: string): void {
    this.account(contract, pointType).earned += parsePoints(points);
  }

  /** Whether a batch that is not cancelled pays the reference, by a transfer that was not taken back. */
  private pays(contract: string, reference: string): boolean {
    const own = this.batches.filter((batch) => batch.contract === contract);
    const isTakenBack = (id: string, to: string) =>
      own.some(
        ({ reverses, status, rows }) =>
          reverses === id && status === "FINALIZED" && rows.some(([from]) => from === to),
      );
    return own.some(
      ({ id, reverses, status, rows }) =>
        reverses === undefined &&
        status !== "CANCELLED" &&
        rows.some(([to, , paid]) => paid === reference && !isTakenBack(id, to)),
    );
  }

  submit(
    batch: ModelBatch,
  ):
    | "stored"
    | "replayed"
    | "batch_id_conflict"
    | "batch_cancelled"
    | "reference_already_paid"
    | "insufficient_points" {
    const known = this.find(batch.contract, batch.id);
    if (known && contentOf(known) !== contentOf(batch)) return "batch_id_conflict";
    if (known) return known.status === "CANCELLED" ? "batch_cancelled" : "replayed";
    if (batch.rows.some(([, , reference]) => reference && this.pays(batch.contract, reference)))
      return "reference_already_paid";
    const account = this.account(batch.contract, batch.pointType);
    const shortfall = totalOf(batch) - this.available(batch.contract, batch.pointType);
    if (shortfall > 0n && this.prefunded.has(batch.contract)) return "insufficient_points";
    if (shortfall > 0n) account.earned += shortfall;
    this.store(batch);
    return "stored";
  }

  private store(batch: ModelBatch): void {
    const awaitsApproval = batch.contract === this.ruled && totalOf(batch) >= parsePoints(APPROVAL_THRESHOLD);
    this.batches.push({ ...batch, awaitsApproval });
    for (const [account, points] of this.givers(batch)) account.pending += points;
  }

  /** The accounts that give up points, and how many. */
  private givers(batch: ModelBatch): (readonly [ModelAccount, bigint])[] {
    if (batch.reverses === undefined)
      return [[this.account(batch.contract, batch.pointType), totalOf(batch)]];
    return batch.rows.map(([to, points]) => [this.account(to, batch.pointType), parsePoints(points)]);
  }

  /** The accounts that are credited, and how many. */
  private takers(batch: ModelBatch): (readonly [ModelAccount, bigint])[] {
    if (batch.reverses !== undefined)
      return [[this.account(batch.contract, batch.pointType), totalOf(batch)]];
    return batch.rows.map(([to, points]) => [this.account(to, batch.pointType), parsePoints(points)]);
  }

  /** @param chooses which of the batch's rows to take back, by their place */
  reverse(
    contract: string,
    reverses: string,
    { id, wait, chooses }: { id: string; wait: number; chooses: (place: number) => boolean },
  ):
    | "stored"
    | "replayed"
    | "batch_not_found"
    | "validation_failed"
    | "batch_not_finalized"
    | "batch_id_conflict"
    | "batch_cancelled"
    | "already_reversed"
    | "recipients_short" {
    const original = this.find(contract, reverses);
    if (!original) return "batch_not_found";
    if (original.reverses !== undefined) return "validation_failed";
    if (original.status !== "FINALIZED") return "batch_not_finalized";
    const rows = original.rows.filter((_, place) => chooses(place));
    const { pointType } = original;
    const batch: ModelBatch = {
      contract,
      id,
      pointType,
      wait,
      rows,
      reverses,
      status: "PENDING",
      isDue: wait === 0,
    };
    const known = this.find(contract, id);
    if (known && contentOf(known) !== contentOf(batch)) return "batch_id_conflict";
    if (known) return known.status === "CANCELLED" ? "batch_cancelled" : "replayed";
    const taken = this.batches
      .filter(
        (other) => other.contract === contract && other.reverses === reverses && other.status !== "CANCELLED",
      )
      .flatMap((other) => other.rows.map(([to]) => to));
    if (rows.some(([to]) => taken.includes(to))) return "already_reversed";
    if (rows.some(([to, points]) => this.available(to, pointType) < parsePoints(points)))
      return "recipients_short";
    this.store(batch);
    return "stored";
  }

  cancel(contract: string, id: string): "cancelled" | "batch_not_found" | "not_cancellable" {
    const batch = this.find(contract, id);
    if (!batch) return "batch_not_found";
    if (batch.status !== "PENDING") return "not_cancellable";
    batch.status = "CANCELLED";
    for (const [account, points] of this.givers(batch)) account.pending -= points;
    return "cancelled";
  }

  approve(contract: string, id: string): "approved" | "batch_not_found" | "validation_failed" {
    const batch = this.find(contract, id);
    if (!batch) return "batch_not_found";
    if (batch.status !== "PENDING" || !batch.awaitsApproval) return "validation_failed";
    batch.awaitsApproval = false;
    return "approved";
  }

  moveClock(): void {
    for (const batch of this.batches) batch.isDue = true;
  }

  finalize(): void {
    for (const batch of this.batches) {
      if (batch.status !== "PENDING" || !batch.isDue || batch.awaitsApproval) continue;
      batch.status = "FINALIZED";
      for (const [account, points] of this.givers(batch)) {
        account.pending -= points;
        account.sent += points;
      }
      for (const [account, points] of this.takers(batch)) account.received += points;
    }
  }
}
