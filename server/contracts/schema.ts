import { z } from "zod";
import { TOKEN_SCOPES } from "@/server/auth/tokens";
import type { AccountBalances } from "@/server/ledger/accounts";
import { ContractInput } from "@/terms/batch-schema";
import type { PointType } from "@/terms/batch-terms";
import {
  AddressField,
  LabelField,
  NOT_STORABLE,
  PointTypeField,
  parseInstant,
  RowNumberField,
  rule,
  TimestampField,
} from "@/terms/fields";
import { formatPoints, isPoints, parsePoints } from "@/terms/points";

const SEARCH_CHARS_MAX = 80;
const TOKEN_DAYS_MAX = 3650;
/** 90 days and the end of the last one, plus one in case a clock change splits a day. */
const DAY_STARTS_MAX = 92;

const storable = (value: string) => !/[\p{Cc}\p{Surrogate}]/u.test(value);

export const AmountField = z
  .string()
  .refine(isPoints, rule("invalid_points", "must be a decimal string such as 1000 or 0.5"))
  .refine((value) => !/^[0.]*$/.test(value), rule("out_of_range", "must be more than 0"))
  .transform((value) => formatPoints(parsePoints(value)));

const IssuanceField = z.enum(["ON_DEMAND", "PREFUNDED"]);

export const SearchContractsInput = z.strictObject({
  /** Part of a label, or the start of an address. */
  search: z.string().max(SEARCH_CHARS_MAX).refine(storable, NOT_STORABLE).optional(),
  cursor: AddressField.nullish(),
});
export type SearchContractsInput = z.output<typeof SearchContractsInput>;

export const RegisterContractInput = z.strictObject({
  address: AddressField,
  label: LabelField,
  operatorAddress: AddressField.nullable(),
  issuance: IssuanceField,
});
export type RegisterContractInput = z.output<typeof RegisterContractInput>;

export const RenameContractInput = ContractInput.extend({ label: LabelField });
export const SetOperatorInput = ContractInput.extend({ operatorAddress: AddressField.nullable() });
export const SetIssuanceInput = ContractInput.extend({ issuance: IssuanceField });

/** Also within the host's limits. */
export const SetDefaultWaitInput = ContractInput.extend({ seconds: z.int32().min(0) });

export const SetKeyRequiredInput = ContractInput.extend({ required: z.boolean() });

export const GrantPointsInput = ContractInput.extend({ pointType: PointTypeField, points: AmountField });

export const CreateTokenInput = ContractInput.extend({
  name: LabelField,
  scopes: z
    .array(z.enum(TOKEN_SCOPES))
    .max(TOKEN_SCOPES.length)
    .refine((scopes) => scopes.length > 0, rule("required", "must include at least one scope"))
    .refine(
      (scopes) => new Set(scopes).size === scopes.length,
      rule("invalid_value", "must not repeat a scope"),
    ),
  expiresInDays: z.int().min(1).max(TOKEN_DAYS_MAX).nullable(),
});

export const RevokeTokenInput = ContractInput.extend({ tokenId: z.uuid() });

export const ListIssuancesInput = ContractInput.extend({ cursor: RowNumberField.nullish() });

/** The start of each day, ascending, followed by the end of the last day. */
export const PointsPerDayInput = ContractInput.extend({
  dayStarts: z
    .array(TimestampField)
    .min(2)
    .max(DAY_STARTS_MAX)
    .refine(
      (starts) => starts.every((start, i) => i === 0 || parseInstant(start)! > parseInstant(starts[i - 1]!)!),
      rule("invalid_value", "must be in ascending order"),
    ),
});
export type PointsPerDayInput = z.output<typeof PointsPerDayInput>;

export interface ConsoleContract {
  address: string;
  label: string;
  issuance: z.output<typeof IssuanceField>;
  createdAt: string;
  balances: Record<PointType, AccountBalances>;
}

export interface ConsoleContractDetail extends ConsoleContract {
  operatorAddress: string | null;
  operatorTokens: number;
  /** Null for the host's default, `DEFAULT_FINALIZE_SECONDS`. */
  defaultWaitSeconds: number | null;
  keyRequired: boolean;
}
