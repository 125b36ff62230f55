import { type PointType, unitOfType } from "@/terms/batch-terms";

interface PayerTerms {
  name: string;
  /** What of it. */
  hint: string;
  /** Of the amounts. Null for a token's. */
  pointType: PointType | null;
  /** Decimal places that most such amounts have. */
  decimals: number;
  /** The root and the file that it reads. */
  root: "openzeppelin" | "uniswap" | "sablier" | null;
  file: "pay" | "safe" | "openzeppelin" | "uniswap-claims" | "human" | "merkl";
}

const TOKEN = { pointType: null, decimals: 18 } as const;
const IN_POINTS = { root: null, file: "pay" } as const;

/** Who pays out an allocation. Its unit, its root and its file follow from that. */
export const PAYERS = {
  PHASE2_POINTS: {
    ...{ name: "Points here", hint: "A batch of points", pointType: "PHASE2_POINTS", decimals: 2 },
    ...IN_POINTS,
  },
  PHASE2_GOLD: {
    ...{ name: "Gold here", hint: "A batch of gold", pointType: "PHASE2_GOLD", decimals: 6 },
    ...IN_POINTS,
  },
  SAFE: { ...TOKEN, name: "Safe", hint: "The CSV airdrop of a Safe", root: null, file: "safe" },
  OPENZEPPELIN: {
    ...TOKEN,
    ...{ name: "OpenZeppelin", hint: "A contract of your own", root: "openzeppelin", file: "openzeppelin" },
  },
  UNISWAP: {
    ...TOKEN,
    ...{ name: "Uniswap", hint: "Its MerkleDistributor", root: "uniswap", file: "uniswap-claims" },
  },
  SABLIER: { ...TOKEN, name: "Sablier", hint: "A Merkle campaign", root: "sablier", file: "human" },
  HEDGEY: { ...TOKEN, name: "Hedgey", hint: "A claim campaign", root: "openzeppelin", file: "human" },
  THIRDWEB: { ...TOKEN, name: "thirdweb", hint: "A drop or an airdrop", root: null, file: "human" },
  MERKL: { ...TOKEN, name: "Merkl", hint: "An airdrop", root: null, file: "merkl" },
} as const satisfies Record<string, PayerTerms>;

export type Payer = keyof typeof PAYERS;
export const PAYER_NAMES = Object.keys(PAYERS) as [Payer, ...Payer[]];

/** Of an allocation's amounts. Unknown for one that was made before this was asked. */
export const unitOf = (payer: Payer | null) =>
  payer === null ? null : PAYERS[payer].pointType ? "points" : "tokens";

/** For sentences: "gold" too. */
export function unitName(payer: Payer | null): string {
  const type = payer && PAYERS[payer].pointType;
  return type ? unitOfType(type) : "tokens";
}
