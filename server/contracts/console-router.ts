import { asc } from "drizzle-orm";
import { contracts } from "@/db/schema/contracts";
import { addressFromBytes } from "../ledger/addresses";
import { router, staffProcedure } from "../trpc/procedures";

/** Most contracts a filter menu lists. */
const CONTRACTS_MAX = 500;

export const consoleContractsRouter = router({
  list: staffProcedure("viewer").query(async ({ ctx }) => {
    const rows = await ctx.db.orm.select().from(contracts).orderBy(asc(contracts.label)).limit(CONTRACTS_MAX);
    return rows.map((row) => ({
      address: addressFromBytes(row.address),
      label: row.label,
      issuance: row.issuance,
    }));
  }),
});
