import { z } from "zod";
import { ContractInput, CursorField, DigestField } from "@/terms/batch-schema";
import { SEARCH_CHARS_MAX, UUID_PATTERN } from "@/terms/batch-terms";
import {
  AddressField,
  AddressOut,
  countField,
  LabelField,
  objectOf,
  PointsOut,
  PointTypeField,
  replyOf,
  rule,
  TimestampField,
  TimestampOut,
  wholeNumber,
} from "@/terms/fields";

/** Kept until they are deleted: of each contract, and as many over all contracts. */
export const SNAPSHOTS_MAX = 100;
export const HOLDERS_LIMIT_DEFAULT = 200;
export const HOLDERS_LIMIT_MAX = 1000;

/** @param noun such as "a snapshot" */
export const idField = (noun: string, description: string, example: string) =>
  z
    .string()
    .refine((value) => UUID_PATTERN.test(value), rule("invalid_value", `must be the ID of ${noun}`))
    .meta({ description, pattern: UUID_PATTERN.source, maxLength: 36, examples: [example] });

export const SnapshotIdField = idField(
  "a snapshot",
  "ID of the snapshot.",
  "0b6f2f0e-58f4-4c39-8f5e-0d6a1c2b3e4f",
);

const INSTANT = TimestampField.description;
const HeldTypeField = PointTypeField.meta({ description: "Point type of the holdings." });

export const TakeSnapshotInput = ContractInput.extend({
  pointType: HeldTypeField,
  name: LabelField.meta({
    description: "What the snapshot is for, in 1 to 80 characters. By default its points and time.",
    maxLength: 80,
  }).optional(),
  asOf: TimestampField.meta({
    description: `The holdings at this time, not in the future. By default the current time. ${INSTANT}`,
  }).optional(),
  includeContracts: z
    .boolean()
    .meta({ description: "Whether registered contracts count as holders.", default: false })
    .optional(),
});
/** Over all contracts, where no contract is given. */
export const SnapshotRequest = TakeSnapshotInput.partial({ contractAddress: true });
export type SnapshotRequest = z.output<typeof SnapshotRequest>;

const SnapshotOut = objectOf("Snapshot", {
  id: SnapshotIdField,
  name: z.string().max(80).meta({ description: "What it is for." }),
  pointType: HeldTypeField,
  asOf: TimestampOut.meta({
    description: "Everything finalized at or before this time is in it, and nothing later.",
  }),
  includesContracts: z.boolean().meta({ description: "Whether registered contracts count as holders." }),
  status: z.enum(["RUNNING", "TAKEN", "FAILED"]).meta({
    description: "`RUNNING` until it is `TAKEN`, or `FAILED` for the reason in `failure`.",
  }),
  requestedAt: TimestampOut.meta({ description: "When it was requested." }),
  finishedAt: TimestampOut.nullable().meta({ description: "When it was taken or failed." }),
  holders: countField("Number of holders: those stored so far while it is RUNNING."),
  points: PointsOut.meta({ description: "What they hold together." }),
  leftOut: PointsOut.nullable().meta({
    description: "What registered contracts hold that are not among the holders.",
  }),
  ledgerTotal: PointsOut.nullable().meta({
    description: "The ledger's own total at that time: always `points` + `leftOut`. Null unless it is TAKEN.",
  }),
  digest: DigestField.nullable().meta({
    description:
      "SHA-256 of its text, one line `<address> <points>` per holder: 64 hex digits. Null unless TAKEN.",
  }),
  failure: z.string().max(500).nullable().meta({ description: "Why it could not be taken." }),
});
export type SnapshotOut = z.output<typeof SnapshotOut>;

export const TakeSnapshotReply = replyOf("SnapshotRequested", { snapshot: SnapshotOut });

export const ListSnapshotsReply = replyOf("Snapshots", {
  snapshots: z.array(SnapshotOut).meta({ description: "Newest first.", maxItems: SNAPSHOTS_MAX }),
});

export const ListHoldersInput = ContractInput.extend({
  pointType: HeldTypeField,
  snapshotId: SnapshotIdField.meta({
    description: "Holders of this snapshot. By default of the newest that is TAKEN, by `asOf`.",
  }).optional(),
  limit: wholeNumber(1, HOLDERS_LIMIT_MAX, {
    description: "Maximum number of holders per page.",
    default: HOLDERS_LIMIT_DEFAULT,
  }).optional(),
  cursor: CursorField.meta({
    description: "Cursor from the previous reply. It is valid for the same snapshot only.",
  }).optional(),
});
export type ListHoldersInput = z.output<typeof ListHoldersInput>;

export const ListHoldersReply = replyOf("HolderPage", {
  snapshot: SnapshotOut,
  holders: z
    .array(
      objectOf("Holder", {
        address: AddressOut.meta({ description: "The holder." }),
        points: PointsOut.meta({ description: "What it holds, in shortest exact form." }),
      }),
    )
    .meta({ description: "Holders of the page, by address.", maxItems: HOLDERS_LIMIT_MAX }),
  cursor: CursorField.nullable().meta({ description: "Cursor for the next page; null on the last page." }),
});

/** Of all scopes by default; null is the scope over all contracts. */
export const ConsoleSnapshotsInput = z.strictObject({
  contractAddress: AddressField.nullable().optional(),
  pointType: PointTypeField.optional(),
});
export type ConsoleSnapshotsInput = z.output<typeof ConsoleSnapshotsInput>;

export const SnapshotInput = z.strictObject({ snapshotId: SnapshotIdField });
export type SnapshotInput = z.output<typeof SnapshotInput>;

export const FindHoldersInput = SnapshotInput.extend({ text: z.string().max(SEARCH_CHARS_MAX) });
export type FindHoldersInput = z.output<typeof FindHoldersInput>;
