import { type PointType, unitOfType } from "@/terms/batch-terms";

interface PayerTerms {
  name: string;
  /** What of it. */
  hint: string;
  /** Of the amounts. Null for a token's. */
  pointType: PointType | null;
  /** Decimal places that most such amounts have. Null for tokens, whose contracts say it. */
  decimals: number | null;
  /** The root and the files that it reads. */
  root: "openzeppelin" | "uniswap" | "sablier" | null;
  files: readonly ("pay" | "safe" | "openzeppelin" | "uniswap-claims" | "human" | "parts" | "merkl")[];
}

const TOKEN = { pointType: null, decimals: null } as const;
const IN_POINTS = { root: null, files: ["pay"], decimals: 2 } as const;

/** Who pays out an allocation. Its unit, its root and its file follow from that. */
export const PAYERS = {
  PHASE2_POINTS: { ...IN_POINTS, name: "Points here", hint: "A payout", pointType: "PHASE2_POINTS" },
  PHASE2_GOLD: { ...IN_POINTS, name: "Gold here", hint: "A payout", pointType: "PHASE2_GOLD", decimals: 6 },
  SAFE: { ...TOKEN, name: "Safe", hint: "The CSV airdrop of a Safe", root: null, files: ["safe"] },
  OPENZEPPELIN: {
    ...TOKEN,
    ...{ name: "Claim contract", hint: "OpenZeppelin proofs", root: "openzeppelin", files: ["openzeppelin"] },
  },
  UNISWAP: {
    ...TOKEN,
    ...{ name: "Uniswap", hint: "Its MerkleDistributor", root: "uniswap", files: ["uniswap-claims"] },
  },
  SABLIER: { ...TOKEN, name: "Sablier", hint: "A Merkle campaign", root: "sablier", files: ["human"] },
  HEDGEY: { ...TOKEN, name: "Hedgey", hint: "A claim campaign", root: "openzeppelin", files: ["human"] },
  THIRDWEB: { ...TOKEN, name: "thirdweb", hint: "A drop or airdrop", root: null, files: ["human", "parts"] },
  MERKL: { ...TOKEN, name: "Merkl", hint: "An airdrop", root: null, files: ["merkl"] },
} as const satisfies Record<string, PayerTerms>;

export type Payer = keyof typeof PAYERS;
export const PAYER_NAMES = Object.keys(PAYERS) as [Payer, ...Payer[]];

/** Of an allocation's amounts. Unknown for one that was made before this was asked. */
export const unitOf = (payer: Payer | null) =>
  payer === null ? null : PAYERS[payer].pointType ? "points" : "tokens";

/** Whether it reads a proof of OpenZeppelin's tree. No others are stored. */
export const readsProof = (payer: Payer | null) => payer === null || PAYERS[payer].root === "openzeppelin";

/** For sentences: "gold" too. */
export function unitName(payer: Payer | null): string {
  const type = payer && PAYERS[payer].pointType;
  return type ? unitOfType(type) : "tokens";
}
