import type { AllocationRoots } from "@/server/allocations/schema";
import { addressError, addressKey, checksumAddress, ZERO_ADDRESS } from "@/terms/address-text";
import { type Payer, unitOf } from "@/terms/claims/payers";
import { formatCount } from "@/terms/output-text";
import { POINTS_DECIMALS } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import type { FileAllocation, StoredClaims } from "./claim-text";
import { merklRewards } from "./merkl";
import { claimLines, standardTree } from "./openzeppelin";
import { payCsv } from "./pay";
import { ROWS_MAX, safeParts, tokenParts } from "./safe";
import { humanCsv } from "./tokens";
import { uniswapClaims } from "./uniswap";

interface FileForm {
  name: string;
  /** The tools that read it. */
  readBy: string;
  /** Of the amounts. It is in the file's name, since no tool can see it. */
  unit: "base units" | "tokens" | "points";
  /** Of the contracts that its readers make. */
  root?: keyof AllocationRoots;
  /** The end of the file's name. */
  suffix: string;
  mediaType: string;
  needsTokenAddress?: true;
  /** Of a file that programs read as one text: at most how many characters a claim takes. */
  charsPerClaim?: (allocation: FileAllocation) => number;
  /** Why the form is impossible for an allocation. */
  refusal?: (allocation: FileAllocation) => string | null;
  /** What to know before using it. */
  notes?: (allocation: FileAllocation) => (string | false)[];
  write(
    allocation: FileAllocation,
    claims: StoredClaims,
    tokenAddress: string,
  ): AsyncIterable<string | Uint8Array>;
}

const JSON_TYPE = "application/json";
const CSV_TYPE = "text/csv; charset=utf-8";

const NODE_CHARS = `"0x${"0".repeat(64)}",`.length;
const digitsOf = ({ sum }: FileAllocation) => String(sum).length;
const depthOf = ({ claims }: FileAllocation) => Math.ceil(Math.log2(claims));

const FORMS = {
  openzeppelin: {
    name: "Merkle tree",
    readBy: "OpenZeppelin merkle-tree 1.0.5 to 1.0.8",
    unit: "base units",
    root: "openzeppelin",
    suffix: "merkle-tree-base-units.json",
    mediaType: JSON_TYPE,
    charsPerClaim: (allocation) => 2 * NODE_CHARS + 83 + digitsOf(allocation),
    write: standardTree,
  },
  lines: {
    name: "Claims with proofs, line by line",
    readBy: "programs",
    unit: "base units",
    root: "openzeppelin",
    suffix: "claims-base-units.ndjson",
    mediaType: "application/x-ndjson",
    write: claimLines,
  },
  human: {
    name: "Amounts in tokens",
    readBy: "Sablier, Hedgey, thirdweb, disperse",
    unit: "tokens",
    root: "sablier",
    suffix: "tokens.csv",
    mediaType: CSV_TYPE,
    notes: ({ payer, claims, sum, decimals }) => [
      claims < 2 && "Sablier needs at least two recipients.",
      sum >= 2n ** 128n && "Sablier counts in 128 bits, and this sum needs more.",
      decimals === 0 && "thirdweb's airdrop counts a token without decimals as one with 18.",
      claims > ROWS_MAX &&
        payer !== "SABLIER" &&
        payer !== "HEDGEY" &&
        `disperse and thirdweb's airdrop pay all rows in one transaction: use parts of ${ROWS_MAX} rows.`,
    ],
    write: humanCsv,
  },
  parts: {
    name: "Amounts in tokens, in parts",
    readBy: "disperse, thirdweb's airdrop",
    unit: "tokens",
    suffix: "parts-tokens.zip",
    mediaType: "application/zip",
    write: tokenParts,
  },
  safe: {
    name: "Safe’s CSV files",
    readBy: "Safe's CSV airdrop app",
    unit: "tokens",
    suffix: "safe-tokens.zip",
    mediaType: "application/zip",
    needsTokenAddress: true,
    write: safeParts,
  },
  "uniswap-claims": {
    name: "Uniswap's claims with proofs",
    readBy: "sites for Uniswap's merkle-distributor",
    unit: "base units",
    root: "uniswap",
    suffix: "uniswap-claims-base-units.json",
    mediaType: JSON_TYPE,
    charsPerClaim: (allocation) => 95 + digitsOf(allocation) + depthOf(allocation) * NODE_CHARS,
    write: uniswapClaims,
  },
  merkl: {
    name: "Merkl's rewards",
    readBy: "Merkl's airdrop form",
    unit: "base units",
    suffix: "merkl-base-units.json",
    mediaType: JSON_TYPE,
    needsTokenAddress: true,
    charsPerClaim: (allocation) => 52 + JSON.stringify(allocation.name).length + digitsOf(allocation),
    write: merklRewards,
  },
  pay: {
    name: "Payout",
    readBy: "New payout, point-batches pay",
    unit: "points",
    suffix: "points.csv",
    mediaType: CSV_TYPE,
    refusal: ({ decimals }) =>
      decimals > POINTS_DECIMALS
        ? `Points have at most ${POINTS_DECIMALS} decimals, and this allocation has ${decimals}.`
        : null,
    write: payCsv,
  },
} satisfies Record<string, FileForm>;

export type FileFormName = keyof typeof FORMS;
/** Every form in which an allocation can be downloaded. */
export const FILES: Record<FileFormName, FileForm> = FORMS;

/** Of a string in Node, and so of a JSON text that it parses. */
const TEXT_CHARS_MAX = 536_870_888;

/** Tokens are never paid as points, nor points as tokens. Base units are of both. */
export function fitsUnit({ unit }: Pick<FileForm, "unit">, payer: Payer | null): boolean {
  const own = unitOf(payer);
  return own === null || unit === "base units" || unit === own;
}

/** Why an allocation cannot be written in this form, or null. */
export function fileRefusal(formName: FileFormName, allocation: FileAllocation): string | null {
  const form = FILES[formName];
  const chars = (form.charsPerClaim?.(allocation) ?? 0) * allocation.claims;
  if (chars > TEXT_CHARS_MAX)
    return (
      `The file would have up to ${formatCount(chars)} characters. Programs read at most ` +
      `${formatCount(TEXT_CHARS_MAX)} as one JSON text. ` +
      `Download "${FILES.lines.name}" instead.`
    );
  if (!fitsUnit(form, allocation.payer)) return `The amounts are not ${form.unit}.`;
  return form.refusal?.(allocation) ?? null;
}

export const fileNotes = (formName: FileFormName, allocation: FileAllocation): string[] =>
  (FILES[formName].notes?.(allocation) ?? []).filter((note) => note !== false);

export interface AllocationFile {
  fileName: string;
  notes: string[];
  mediaType: string;
  content: AsyncIterable<string | Uint8Array>;
}

/**
 * @param tokenAddress of the token, for the forms that name it
 * @throws DomainError `validation_failed`, before anything is written
 */
export function openFile(
  formName: FileFormName,
  allocation: FileAllocation,
  claims: StoredClaims,
  tokenAddress = "",
): AllocationFile {
  const form = FILES[formName];
  const refusal = fileRefusal(formName, allocation);
  if (refusal) throw new DomainError("validation_failed", refusal);
  if (form.needsTokenAddress && !isToken(tokenAddress))
    throw new DomainError(
      "validation_failed",
      "Enter the token's address: 0x followed by 40 hex digits. If in mixed case, its checksum must fit.",
    );
  const token = form.needsTokenAddress ? checksumAddress(tokenAddress.slice(2).toLowerCase()) : "";
  return {
    fileName: `${fileStem(allocation)}-${form.suffix}`,
    notes: fileNotes(formName, allocation),
    mediaType: form.mediaType,
    content: form.write(allocation, claims, token),
  };
}

/** Some tools pay the chain's native coin for the zero address. */
const isToken = (address: string) => addressError(address) === null && addressKey(address) !== ZERO_ADDRESS;

/** The allocation's name in letters, digits and hyphens. */
const fileStem = ({ name }: FileAllocation) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "") || "allocation";
