import { asc } from "drizzle-orm";
import { contracts } from "@/db/schema/contracts";
import { router, staffProcedure } from "@/server/auth/procedures";
import { createAccessToken, listTokens, revokeToken } from "@/server/auth/tokens";
import { addressFromBytes } from "@/server/kernel/values/addresses";
import { grantPoints, listIssuances } from "@/server/ledger/issuances";
import { registerContract, renameContract, setIssuance, setOperator } from "./change-contract";
import { describeContract, describeSetup, searchContracts, sumPointsPerDay } from "./read-contracts";
import {
  ContractInput,
  CreateTokenInput,
  GrantPointsInput,
  ListIssuancesInput,
  PointsPerDayInput,
  RegisterContractInput,
  RenameContractInput,
  RevokeTokenInput,
  SearchContractsInput,
  SetIssuanceInput,
  SetOperatorInput,
  SetupInput,
} from "./schema";

/** Maximum number of contracts in a filter menu. */
const CONTRACTS_MAX = 500;
const DAY_MS = 86_400_000;

/** Contracts in the console. For permissions see docs/architecture.md, "Roles". */
export const consoleContractsRouter = router({
  list: staffProcedure("viewer").query(async ({ ctx }) => {
    const rows = await ctx.db.orm.select().from(contracts).orderBy(asc(contracts.label)).limit(CONTRACTS_MAX);
    return rows.map((row) => ({
      address: addressFromBytes(row.address),
      label: row.label,
      issuance: row.issuance,
    }));
  }),
  search: staffProcedure("viewer")
    .input(SearchContractsInput)
    .query(({ ctx, input }) => searchContracts(ctx, input)),
  get: staffProcedure("viewer")
    .input(ContractInput)
    .query(({ ctx, input }) => describeContract(ctx, input)),
  setup: staffProcedure("viewer")
    .input(SetupInput)
    .query(({ ctx, input }) => describeSetup(ctx, input)),
  pointsPerDay: staffProcedure("viewer", "long")
    .input(PointsPerDayInput)
    .query(({ ctx, input }) => sumPointsPerDay(ctx, input)),
  issuances: staffProcedure("viewer")
    .input(ListIssuancesInput)
    .query(({ ctx, input }) => listIssuances(ctx, input)),
  tokens: staffProcedure("viewer")
    .input(ContractInput)
    .query(({ ctx, input }) => listTokens(ctx, input)),
  rename: staffProcedure("operator")
    .input(RenameContractInput)
    .mutation(({ ctx, input }) => renameContract(ctx, input)),
  register: staffProcedure("admin")
    .input(RegisterContractInput)
    .mutation(({ ctx, input }) => registerContract(ctx, input)),
  setOperator: staffProcedure("admin")
    .input(SetOperatorInput)
    .mutation(({ ctx, input }) => setOperator(ctx, input)),
  setIssuance: staffProcedure("admin")
    .input(SetIssuanceInput)
    .mutation(({ ctx, input }) => setIssuance(ctx, input)),
  grant: staffProcedure("admin")
    .input(GrantPointsInput)
    .mutation(({ ctx, input }) => grantPoints(ctx, input)),
  createToken: staffProcedure("admin")
    .input(CreateTokenInput)
    .mutation(({ ctx, input: { expiresInDays, ...token } }) =>
      createAccessToken(ctx, {
        ...token,
        expiresAt:
          expiresInDays === null ? null : new Date(Date.now() + expiresInDays * DAY_MS).toISOString(),
      }),
    ),
  revokeToken: staffProcedure("admin")
    .input(RevokeTokenInput)
    .mutation(({ ctx, input }) => revokeToken(ctx, input)),
});
