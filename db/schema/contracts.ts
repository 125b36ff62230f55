import { sql } from "drizzle-orm";
import { check, pgTable, text } from "drizzle-orm/pg-core";
import { addressBytes, instant, issuance } from "./types";

/**
 * Registered contracts, never deleted. Only webhook endpoints have a foreign key to them. Tokens are local tables, and Citus
 * allows no foreign key from those to a shard; batches and issuances are written by the statement that reads the contract, and
 * a foreign key would lock the contract's row once more on every submit.
 */
export const contracts = pgTable(
  "contracts",
  {
    address: addressBytes("address").primaryKey(),
    label: text("label").notNull(),
    operatorAddress: addressBytes("operator_address"),
    issuance: issuance("issuance").notNull().default("ON_DEMAND"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    check("contracts_address_length", sql`octet_length(${t.address}) = 20`),
    check("contracts_operator_length", sql`octet_length(${t.operatorAddress}) = 20`),
  ],
);
