// The service's rules of a row, as Payload asks for them: true, or the words of a fault.
import sha3 from "js-sha3";

export const POINT_TYPES = ["PHASE2_POINTS", "PHASE2_GOLD"];
export const STATUSES = ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"];
const SCALE = 12;
const MINIMUM_UNITS = { PHASE2_POINTS: toUnits("0.01"), PHASE2_GOLD: toUnits("0.000001") };
const ZERO = `0x${"0".repeat(40)}`;

export const checkAddress = (value) => isAddress(value) || "invalid_address";

export function checkPoints(value, { data }) {
  const units = typeof value === "string" ? toUnits(value) : null;
  if (units === null) return "invalid_points";
  // An unknown point type is that field's fault.
  return !(units < MINIMUM_UNITS[data.pointType]) || "points_below_minimum";
}

/** What no row can say by itself. The count of rows is checked here too, for this takes the place of Payload's own check. */
export function checkRows(rows, { data }) {
  if (!Array.isArray(rows) || rows.length < 1 || rows.length > 2000) return "invalid_transfers";
  const seen = new Set([ZERO, String(data.contractAddress).toLowerCase()]);
  for (const row of rows) seen.add(String(row.toAddress).toLowerCase());
  return seen.size === rows.length + 2 || "duplicate_or_invalid_destination";
}

/** Forty hex digits; a mixed-case address must have a valid EIP-55 checksum. */
function isAddress(text) {
  if (typeof text !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const lower = text.toLowerCase();
  if (text === lower || !/[a-f]/.test(text)) return true;
  const hash = sha3.keccak256.array(lower.slice(2));
  for (let i = 0; i < 40; i++) {
    const code = text.charCodeAt(i + 2);
    if (code < 65) continue;
    const nibble = i % 2 === 0 ? hash[i >> 1] >> 4 : hash[i >> 1] & 15;
    if (code < 97 !== nibble >= 8) return false;
  }
  return true;
}

/** An amount in units of its last decimal place, or null. */
function toUnits(text) {
  if (!/^(?:0|[1-9][0-9]{0,25})(?:\.[0-9]{1,12})?$/.test(text)) return null;
  const [whole, part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(SCALE, "0"));
}
