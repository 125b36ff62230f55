import { InvalidArgumentError } from "commander";
import type { z } from "zod";
import { TOKEN_SCOPES, type TokenScope } from "@/server/auth/tokens";
import { AddressField, LabelField, parseInstant } from "../kernel/values/fields";
import { isPoints } from "../kernel/values/points";

const checked =
  <Schema extends z.ZodType>(schema: Schema) =>
  (value: string): z.output<Schema> => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]!.message);
    return parsed.data;
  };

export const address = checked(AddressField);
export const label = checked(LabelField);

export const wholeNumber = (least: number, most: number) => (value: string) => {
  const number = /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`);
};

export function amount(value: string): string {
  if (!isPoints(value)) throw new InvalidArgumentError("must be a decimal string such as 1000 or 0.5");
  return value;
}

export function scopes(value: string): TokenScope[] {
  const names = value.split(/[ ,]+/).filter(Boolean);
  const unknown = names.find((name) => !TOKEN_SCOPES.includes(name as TokenScope));
  if (names.length === 0 || unknown) {
    throw new InvalidArgumentError(`must be a comma-separated list of ${TOKEN_SCOPES.join(", ")}`);
  }
  return names as TokenScope[];
}

/** Accepts an ISO 8601 time or a duration such as `90d` or `12h`. Returns RFC 3339. */
export function expiry(value: string): string {
  const span = /^(\d{1,5})([dh])$/.exec(value);
  const ms = span
    ? Date.now() + Number(span[1]) * (span[2] === "d" ? 86_400_000 : 3_600_000)
    : parseInstant(value);
  if (ms === null || ms <= Date.now()) {
    throw new InvalidArgumentError(
      "must be in the future: an ISO 8601 time, or a duration such as 90d or 12h",
    );
  }
  return new Date(ms).toISOString();
}

export function email(value: string): string {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) || value.length > 320) {
    throw new InvalidArgumentError("must be an email address");
  }
  return value.toLowerCase();
}
