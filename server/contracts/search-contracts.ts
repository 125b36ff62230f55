import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { balancesOf } from "../ledger/accounts";
import type { ConsoleContract, ConsoleContractPage, SearchContractsInput } from "./console-schema";

const PAGE_ROWS = 50;

type ContractRow = Omit<ConsoleContract, "address" | "balances"> & { address: Buffer };

/** One page of contracts with their balances, by label or address. `search` is part of a label or the start of an address. */
export async function searchContracts(
  ctx: ServiceContext,
  input: SearchContractsInput,
): Promise<ConsoleContractPage> {
  const { sql } = ctx.db;
  const limit = input.limit ?? PAGE_ROWS;
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
    select address, label, issuance, created_at as "createdAt" from contracts where ${matches} and ${after}
    order by ${byAddress ? sql`address` : sql`lower(label), address`} limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const balances = await balancesOf(
    ctx.db,
    page.map((row) => row.address),
  );
  return {
    contracts: page.map((row) => ({
      ...row,
      address: addressFromBytes(row.address),
      createdAt: toTimestamp(row.createdAt),
      balances: balances(row.address),
    })),
    cursor: rows.length > limit ? addressFromBytes(page.at(-1)!.address) : null,
  };
}
