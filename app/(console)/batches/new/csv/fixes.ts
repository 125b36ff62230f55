import { addressError, checksumAddress } from "@/server/kernel/values/address-text";
import { isPoints, POINTS_DECIMALS } from "@/server/kernel/values/points";
import {
  bareNumber,
  NUMBER_FORMATS,
  type NumberFormat,
  plainNumber,
  possibleAmounts,
  readAmount,
} from "./number-format";

/** What a fix changes; of several, the first of these. All fixes of a kind are applied together, on request. */
export const FIX_KINDS = ["prefix", "checksum", "decimals", "invisible", "quotes", "form"] as const;
export type FixKind = (typeof FIX_KINDS)[number];

export interface Fix {
  kind: FixKind;
  value: string;
  /** The chains or marks that it removes. */
  names: string[];
  /** Of rounding down: the digits lost, as a decimal. */
  loss?: string;
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;
const QUOTES = "['\"`´‘’‚‛“”„‟«»‹›＇＂]";
const AROUND = new RegExp(`^(?:${QUOTES}|[<([])+|(?:${QUOTES}|[>)\\]])+$`, "gu");
const AROUND_AMOUNT = new RegExp(`^${QUOTES}+|${QUOTES}+$`, "gu");

const nameOf = (mark: string) => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
/** The value with its invisible marks shown by name. */
export const visible = (value: string) => value.replaceAll(INVISIBLE, (mark) => `⟨${nameOf(mark)}⟩`);
const marksOf = (value: string) => [...new Set(value.match(INVISIBLE))].map(nameOf);
/** Longer values are neither, and would be slow to search. */
const CHARS_MAX = 1000;
const bareOf = (value: string, around: RegExp) =>
  value.length > CHARS_MAX ? value : value.replaceAll(INVISIBLE, "").trim().replaceAll(around, "").trim();
/** Without invisible marks and without quotation marks around it. */
export const bareText = (value: string) => bareOf(value, AROUND);
export const bareAmount = (value: string) => bareOf(value, AROUND_AMOUNT);

const PLAIN = /^(?:0x)?([0-9a-f]{40})$/i;
/** EIP-3770 `eth:0x…`, CAIP-10 `eip155:1:0x…`, ERC-681 `ethereum:0x…@1` without a function, `xdc…`. */
const PREFIXED =
  /^((?:[a-z][\w.+-]*:(?:[\w.-]+:)*(?:\/\/)?(?:pay-)?)?)((?:0x|xdc)?)([0-9a-f]{40})((?:@[\w.-]+)?)(?:\?(?!.*0x)\S*)?$/i;
const URL_HOST = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?[/?#]/i;
const IN_URL = /0x([0-9a-f]{40})(?![0-9a-f])/gi;
/** Pages of something other than a wallet. */
const OTHER_PAGE = /\/(?:token|tx|block|contract|nft|collection)s?\//i;

/** Chains whose wallets use the checksum of EIP-1191. */
const CHAINS = [
  [30, "Rootstock"],
  [31, "Rootstock testnet"],
] as const;

/** The address that a value contains; null when it has none, or one whose checksum fits no known chain. */
export function fixAddress(value: string): Fix | null {
  const bare = bareText(value);
  const found = findAddress(bare.replaceAll(/\s/g, ""));
  if (!found) return null;
  const address = `0x${found.digits}`;
  const lower = found.digits.toLowerCase();
  if (addressError(address) === null)
    return { kind: kindOf(value, bare, found.names), value: address, names: namesOf(value, found.names) };
  const chain = CHAINS.find(([id]) => checksumAddress(lower, id) === address);
  if (!chain) return null;
  const kind = found.names.length > 0 ? "prefix" : "checksum";
  return { kind, value: checksumAddress(lower), names: [...found.names, `${chain[1]} (chain ${chain[0]})`] };
}

function findAddress(text: string): { digits: string; names: string[] } | null {
  const plain = PLAIN.exec(text)?.[1];
  if (plain !== undefined) return { digits: plain, names: [] };
  const host = URL_HOST.exec(text)?.[1];
  if (host !== undefined) {
    const addresses = [...text.matchAll(IN_URL)];
    const digits = addresses.length === 1 && !OTHER_PAGE.test(text) ? addresses[0]?.[1] : undefined;
    return digits === undefined ? null : { digits, names: [host] };
  }
  const [, prefix = "", start = "", digits, chain = ""] = PREFIXED.exec(text) ?? [];
  if (digits === undefined) return null;
  return { digits, names: [prefix, /xdc/i.test(start) ? start : "", chain].filter(Boolean) };
}

/** The kind of a fix by what it removes. */
function kindOf(value: string, bare: string, chains: readonly string[] = []): FixKind {
  if (chains.length > 0) return "prefix";
  if (marksOf(value).length > 0) return "invisible";
  return bare === value.trim() ? "form" : "quotes";
}
const namesOf = (value: string, chains: readonly string[] = []) =>
  chains.length > 0 ? [...chains] : marksOf(value);

/**
 * The only amount that the value can be; null when there is none or more than one.
 * @param chosen the user's choice of format, which decides between two. A format that was only detected does not.
 */
export function fixPoints(value: string, chosen: NumberFormat | null): Fix | null {
  const bare = bareAmount(value);
  const number = bareNumber(bare);
  if (number === null) return null;
  const fix = (amount: string): Fix => ({ kind: kindOf(value, bare), value: amount, names: namesOf(value) });
  const own = chosen && readAmount(number, chosen);
  if (own !== null) return fix(own);
  const [amount, ...others] = possibleAmounts(number);
  if (amount !== undefined) return others.length === 0 && isPoints(amount) ? fix(amount) : null;
  return roundDown(number);
}

/** With more than 12 decimals, the mark before them is the decimal mark in every format that can read the number. */
function roundDown(number: string): Fix | null {
  for (const format of NUMBER_FORMATS) {
    const [whole, decimals = ""] = plainNumber(number, format)?.split(".") ?? [];
    if (decimals.length <= POINTS_DECIMALS) continue;
    const value = `${whole}.${decimals.slice(0, POINTS_DECIMALS)}`.replace(/\.?0+$/, "");
    const loss = `0.${"0".repeat(POINTS_DECIMALS)}${decimals.slice(POINTS_DECIMALS)}`;
    return isPoints(value) ? { kind: "decimals", value, names: [], loss } : null;
  }
  return null;
}

/** Why a fix is offered, and what to look at before it is applied. */
export function fixMessage({ kind, names, loss }: Fix): string | null {
  const named = names.join(", ");
  switch (kind) {
    case "prefix":
      return `Names a chain or a site: ${named}. A contract wallet may exist on that chain only. Check it, then use the plain address.`;
    case "checksum":
      return `Valid as a checksum of ${named} under EIP-1191, but not under EIP-55. A contract wallet may exist on that chain only.`;
    case "invisible":
      return `Contains invisible marks: ${named}. Remove them.`;
    case "quotes":
      return "Has quotation marks or brackets around it. Remove them.";
    case "decimals":
      return `More than 12 decimals. Rounded down, it loses ${loss}.`;
    case "form":
      return null;
  }
}

/** More decimals than any amount that is read. */
const LOSS_DECIMALS = 100;

/** Exact, of decimals that begin with `0.`. */
export function sumOfLosses(losses: readonly string[]): string {
  const units = losses.reduce((sum, loss) => sum + BigInt(loss.slice(2).padEnd(LOSS_DECIMALS, "0")), 0n);
  const digits = units.toString().padStart(LOSS_DECIMALS + 1, "0");
  return `${digits.slice(0, -LOSS_DECIMALS)}.${digits.slice(-LOSS_DECIMALS)}`.replace(/\.?0+$/, "");
}
