import { z } from "zod";
import { ConsoleSnapshotsInput, idField, SnapshotIdField } from "@/server/snapshots/schema";
import { HOLDER_REFERENCE_PATTERN, type PointType } from "@/terms/batch-terms";
import { PAYER_NAMES, PAYERS, type Payer } from "@/terms/claims/payers";
import {
  AddressField,
  AddressOut,
  countField,
  LabelField,
  objectOf,
  replyOf,
  rule,
  wholeNumber,
} from "@/terms/fields";
import { POINTS_DECIMALS } from "@/terms/points";
import { TOKEN_DECIMALS_MAX, TOKENS_PATTERN, UNITS_END, UNITS_PATTERN } from "@/terms/token-amounts";

/** Kept of each snapshot, until somebody deletes one. Those that were published stay. */
export const ALLOCATIONS_MAX = 100;
export const ALLOCATIONS_LISTED_MAX = 1000;
/** Payments of an allocation's holders that are listed, newest first. */
export const PAYMENTS_MAX = 100;
export const EXCLUDED_MAX = 10_000;
/** A wallet's claims are searched in this many, those published last. */
export const WALLET_ALLOCATIONS_MAX = 100;

export const ALLOCATION_RULES = ["PRO_RATA", "FIXED_RATE"] as const;
export type AllocationRule = (typeof ALLOCATION_RULES)[number];

const AllocationIdField = idField(
  "an allocation",
  "ID of the allocation.",
  "3f1d7a52-6c0e-4b8f-9a57-1e2d3c4b5a69",
);

/** Base units of a token, from 1 to what an `uint256` holds. */
const UnitsField = z
  .string()
  .refine(
    (value) => UNITS_PATTERN.test(value) && value !== "0" && BigInt(value) < UNITS_END,
    rule("out_of_range", "must be a whole number of base units, from 1 to below 2^256"),
  );

const RateField = z
  .string()
  .refine(
    (value) => TOKENS_PATTERN.test(value) && /[1-9]/.test(value),
    rule("invalid_value", "must be a decimal string above 0, such as 1.5"),
  );

const RuleFields = {
  snapshotId: SnapshotIdField,
  /** Who pays it out. Without it, the amounts may be paid as tokens or as points. */
  payer: z.enum(PAYER_NAMES).nullable().default(null),
  /** Decimal places of the amounts. */
  decimals: z.int().min(0).max(TOKEN_DECIMALS_MAX),
  /** In base units. Holders who would get less get nothing. By default the least that can be paid. */
  minimum: UnitsField.optional(),
  /** Addresses that get nothing, in any order. */
  excluded: z.array(AddressField).max(EXCLUDED_MAX).default([]),
};

const ProRata = z.strictObject({
  ...RuleFields,
  rule: z.literal("PRO_RATA"),
  /** Base units to share in proportion to the holdings. */
  total: UnitsField,
});
const FixedRate = z.strictObject({
  ...RuleFields,
  rule: z.literal("FIXED_RATE"),
  /** Tokens per point. */
  rate: RateField,
});

/** Points have fewer decimals than many tokens. */
const fitsPayer = ({ payer, decimals }: { payer: Payer | null; decimals: number }) =>
  payer === null || PAYERS[payer].pointType === null || decimals <= POINTS_DECIMALS;
const FITS_PAYER = {
  ...rule("out_of_range", `must be at most ${POINTS_DECIMALS} for points`),
  path: ["decimals"],
};

export const PreviewAllocationInput = z
  .discriminatedUnion("rule", [ProRata, FixedRate])
  .refine(fitsPayer, FITS_PAYER);
export type PreviewAllocationInput = z.output<typeof PreviewAllocationInput>;

const Named = { name: LabelField };
export const RequestAllocationInput = z
  .discriminatedUnion("rule", [ProRata.extend(Named), FixedRate.extend(Named)])
  .refine(fitsPayer, FITS_PAYER);
export type RequestAllocationInput = z.output<typeof RequestAllocationInput>;

export const AllocationInput = z.strictObject({ allocationId: AllocationIdField });
export type AllocationInput = z.output<typeof AllocationInput>;

/** What pays the holders of an allocation's snapshot, or of the one that the reference names. */
export const PaymentsInput = z.union([
  AllocationInput,
  z.strictObject({ reference: z.string().regex(HOLDER_REFERENCE_PATTERN) }),
]);
export type PaymentsInput = z.output<typeof PaymentsInput>;

/** Of one snapshot, or of the snapshots that these terms choose. */
export const ListAllocationsInput = ConsoleSnapshotsInput.extend({ snapshotId: SnapshotIdField.optional() });
export type ListAllocationsInput = z.output<typeof ListAllocationsInput>;

/** What a rule makes of a snapshot. Amounts are base units as decimal digits. */
export interface AllocationFigures {
  claims: number;
  /** Holders of the snapshot that get nothing: those left out, and those below the minimum. */
  withoutClaim: number;
  /** What the claims add up to: exactly the total, where one was given. */
  sum: string;
  /**
   * Base units that rounding moved. Pro rata they went to the largest remainders, one each. At a fixed rate
   * nobody gets them.
   */
  dust: string;
  smallest: string;
  median: string;
  largest: string;
}

export interface AllocationPreview extends AllocationFigures {
  leftOut: {
    addresses: number;
    /** Those of them that hold something, and what. */
    holders: number;
    points: string;
    /** The first of those that hold nothing, and so may be wrong. */
    unknown: string[];
    /** The zero address is among them, since nobody can spend what it gets. */
    hasZero: boolean;
  };
}

/** Each by who reads it: `0x` and 64 hex digits. */
export interface AllocationRoots {
  /** OpenZeppelin's `StandardMerkleTree`. The API's proofs are against this one. */
  openzeppelin: string;
  /** Uniswap's `MerkleDistributor`. */
  uniswap: string;
  /** Sablier's Merkle campaigns. Null where Sablier refuses such claims. */
  sablier: string | null;
}

/** The figures are null unless it is READY. */
export interface AllocationOut extends Nullable<AllocationFigures> {
  id: string;
  snapshotId: string;
  snapshotName: string;
  /** Of the snapshot. */
  asOf: string;
  name: string;
  /** Of the snapshot. */
  pointType: PointType;
  /** Of the snapshot: null when it is over all contracts. */
  contractAddress: string | null;
  rule: AllocationRule;
  /** Base units, of PRO_RATA. */
  total: string | null;
  /** Tokens per point, of FIXED_RATE. */
  rate: string | null;
  /** Null for one that was made before this was asked. */
  payer: Payer | null;
  decimals: number;
  minimum: string;
  /** How many addresses were left out. */
  excluded: number;
  /** The zero address is among them. */
  leavesOutZero: boolean;
  status: "RUNNING" | "READY" | "FAILED";
  requestedAt: string;
  requestedBy: string;
  finishedAt: string | null;
  failure: string | null;
  roots: AllocationRoots | null;
  publishedAt: string | null;
  publishedBy: string | null;
  /** Under an approval rule in force, somebody other than `requestedBy` must publish it. Not once it is. */
  needsSecondPerson: boolean;
}

type Nullable<Fields> = { [Name in keyof Fields]: Fields[Name] | null };

export const GetClaimInput = AllocationInput.extend({ address: AddressField });
export type GetClaimInput = z.output<typeof GetClaimInput>;
const hashOut = (description: string) =>
  z.string().meta({ description, pattern: "^0x[0-9a-f]{64}$", maxLength: 66 });

const RootOut = hashOut(
  "Merkle root of all claims, in the format of OpenZeppelin's `StandardMerkleTree`. Never changes.",
);

/** docs/verify.md explains how to check a claim. */
const ClaimOut = objectOf("Claim", {
  allocationId: AllocationIdField,
  name: z.string().max(80).meta({ description: "What the allocation is for." }),
  address: AddressOut.meta({ description: "Who may claim." }),
  amount: z.string().meta({
    description: "Amount in base units of the token, as decimal digits.",
    pattern: "^[1-9][0-9]*$",
    maxLength: 78,
    examples: ["1500000000000000000"],
  }),
  tokens: z.string().meta({
    description: "The same amount in tokens, in shortest exact form.",
    pattern: TOKENS_PATTERN.source,
    maxLength: 115,
    examples: ["1.5"],
  }),
  decimals: wholeNumber(0, TOKEN_DECIMALS_MAX, { description: "Decimal places of the token." }),
  index: countField("Place of the claim among all of the allocation, by address, from 0."),
  position: countField("Place of its leaf among the nodes of the tree, where 0 is the root."),
  proof: z
    .array(hashOut("Keccak-256 hash."))
    .max(32)
    .meta({
      description:
        "Sibling hashes from the leaf to the root. The leaf is the hash of the hash of the ABI encoding of " +
        "`address, uint256`: the address and the amount. Empty if there is one claim.",
    }),
  root: RootOut,
  roots: objectOf("ClaimRoots", {
    openzeppelin: RootOut,
    uniswap: hashOut("Root for Uniswap's `MerkleDistributor`, whose proofs are in its own file."),
    sablier: hashOut("Root for Sablier's campaigns. Null where Sablier refuses such claims.").nullable(),
  }).meta({ description: "The roots of the same claims, by who reads them." }),
});
export type ClaimOut = z.output<typeof ClaimOut>;

export const GetClaimReply = replyOf("OneClaim", { claim: ClaimOut });
