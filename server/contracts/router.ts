import { router, staffChange, staffProcedure, staffQuery } from "@/server/auth/procedures";
import { createAccessToken, listTokens, revokeToken } from "@/server/auth/tokens";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { grantPoints, listIssuances } from "@/server/ledger/issuances";
import { ContractInput } from "@/terms/batch-schema";
import {
  registerContract,
  renameContract,
  setDefaultWait,
  setIssuance,
  setKeyRequired,
  setOperator,
} from "./change-contract";
import {
  countKeyless,
  describeContract,
  describeSetup,
  searchContracts,
  sumPointsPerDay,
} from "./read-contracts";
import {
  type ConsoleContractDetail,
  CreateTokenInput,
  GrantPointsInput,
  ListIssuancesInput,
  PointsPerDayInput,
  RegisterContractInput,
  RenameContractInput,
  RevokeTokenInput,
  SearchContractsInput,
  SetDefaultWaitInput,
  SetIssuanceInput,
  SetKeyRequiredInput,
  SetOperatorInput,
} from "./schema";

const CONTRACTS_MAX = 500;
const DAY_MS = 86_400_000;

/** Contracts in the console. For permissions see docs/architecture.md, "Roles". */
export const consoleContractsRouter = router({
  list: staffProcedure("viewer").query(async ({ ctx }) => {
    type Choice = Pick<ConsoleContractDetail, "label" | "issuance" | "defaultWaitSeconds">;
    const rows = await ctx.db.sql<(Choice & { address: Buffer })[]>`
      select address, label, issuance, default_wait_seconds as "defaultWaitSeconds"
      from contracts order by label limit ${CONTRACTS_MAX}`;
    return rows.map((row) => ({ ...row, address: addressFromBytes(row.address) }));
  }),
  search: staffQuery("viewer", SearchContractsInput, searchContracts),
  get: staffQuery("viewer", ContractInput, describeContract),
  setup: staffQuery("viewer", ContractInput.partial(), describeSetup),
  pointsPerDay: staffQuery("viewer", PointsPerDayInput, sumPointsPerDay, "long"),
  keylessPosts: staffQuery("viewer", ContractInput, countKeyless),
  issuances: staffQuery("viewer", ListIssuancesInput, listIssuances),
  tokens: staffQuery("viewer", ContractInput, listTokens),
  rename: staffChange("operator", RenameContractInput, renameContract),
  register: staffChange("admin", RegisterContractInput, registerContract),
  setOperator: staffChange("admin", SetOperatorInput, setOperator),
  setIssuance: staffChange("admin", SetIssuanceInput, setIssuance),
  setKeyRequired: staffChange("admin", SetKeyRequiredInput, setKeyRequired),
  setDefaultWait: staffChange("admin", SetDefaultWaitInput, setDefaultWait),
  grant: staffChange("admin", GrantPointsInput, grantPoints),
  createToken: staffChange("admin", CreateTokenInput, (ctx, { expiresInDays: days, ...token }) => {
    const expiresAt = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    return createAccessToken(ctx, { ...token, expiresAt });
  }),
  revokeToken: staffChange("admin", RevokeTokenInput, revokeToken),
});
