import { DomainError } from "../../kernel/values/problems";
import type { Obstacles } from "./obstacles";

/** Addresses that a message names. The problem's own members have all of them. */
const NAMED_MAX = 3;

export function alreadyReversed(reversed: Obstacles["reversed"], cause?: unknown): DomainError {
  const named = reversed.map(({ toAddress, batchId }) => `${toAddress} (by ${batchId})`);
  return new DomainError("already_reversed", `Already taken back, or about to be: ${listed(named)}.`, {
    extra: { reversed },
    cause,
  });
}

export function recipientsShort(short: Obstacles["short"], pointType: string, cause?: unknown): DomainError {
  const named = short.map(
    ({ toAddress, available, needed }) => `${toAddress} has ${available} of ${needed} ${pointType}`,
  );
  return new DomainError("recipients_short", `Recipients have too few points available: ${listed(named)}.`, {
    extra: { recipients: short },
    cause,
  });
}

function listed(items: readonly string[]): string {
  const rest = items.length - NAMED_MAX;
  return items.slice(0, NAMED_MAX).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
