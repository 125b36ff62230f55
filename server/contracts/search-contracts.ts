import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { balancesOf } from "../ledger/accounts";
import type { ConsoleContractPage, SearchContractsInput } from "./console-schema";

const LIMIT_DEFAULT = 50;

interface ContractRow {
  address: Buffer;
  label: string;
  issuance: "ON_DEMAND" | "PREFUNDED";
  created_at: string;
}

/** One page of contracts with their balances, by label or address. `search` is part of a label or the start of an address. */
export async function searchContracts(
  ctx: ServiceContext,
  input: SearchContractsInput,
): Promise<ConsoleContractPage> {
  const { sql } = ctx.db;
  const limit = input.limit ?? LIMIT_DEFAULT;
  const wanted = input.search?.trim().toLowerCase();
  const matches = wanted
    ? sql`(position(${wanted} in lower(label)) > 0
        or starts_with('0x' || encode(address, 'hex'), ${wanted.startsWith("0x") ? wanted : `0x${wanted}`}))`
    : sql`true`;
  const cursor = input.cursor ? addressToBytes(input.cursor) : null;
  const byAddress = input.sort === "address";
  const after = !cursor
    ? sql`true`
    : byAddress
      ? sql`address > ${cursor}`
      : sql`(lower(label), address) > (select lower(label), address from contracts where address = ${cursor})`;
  const rows = await sql<ContractRow[]>`
    select address, label, issuance, created_at from contracts where ${matches} and ${after}
    order by ${byAddress ? sql`address` : sql`lower(label), address`} limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const balances = await balancesOf(
    ctx.db,
    page.map((row) => row.address),
  );
  return {
    contracts: page.map((row) => ({
      address: addressFromBytes(row.address),
      label: row.label,
      issuance: row.issuance,
      createdAt: new Date(row.created_at).toISOString(),
      balances: balances(row.address),
    })),
    cursor: rows.length > limit ? addressFromBytes(page.at(-1)!.address) : null,
  };
}
