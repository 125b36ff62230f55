import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { whyCrossShard } from "./carries-column";
import { BY_BUILDER, CROSS_SHARD } from "./cross-shard";

test.each([
  ["another table", "select * from staff where email = $1"],
  ["one contract's rows", "select id from batches where contract_address = $1 and status = 'PENDING'"],
  ["a builder's quotes", `select "id" from "batches" where "batches"."contract_address" = $1 limit $2`],
  [
    "a join on the column",
    "select 1 from batches b join batch_transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address where b.contract_address = $1",
  ],
  ["some addresses", "select * from accounts where address in ($1,$2)"],
  ["an insert with the column", "insert into issuances (contract_address, points) values ($1, $2)"],
  ["a column given its own name", "select is_ok, batches::float8 as batches, transfers from ledger_checks"],
  [
    "columns named like tables",
    "insert into ledger_checks (is_ok, batches, transfers, accounts) values ($1, $2, $3, $4)",
  ],
  ["an update of one row", "update accounts a set pending = 0 where a.address = $1::bytea"],
])("routes %s", (_, statement) => {
  expect(whyCrossShard(statement)).toBeNull();
});

test.each([
  ["all rows", "select count(*) from batches", "batches is not compared by contract_address"],
  [
    "another condition",
    "select 1 from batches where status = $1",
    "batches is not compared by contract_address",
  ],
  [
    "the column in a string only",
    "select 1 from batches where id = 'contract_address = $1'",
    "batches is not compared by contract_address",
  ],
  [
    "a comparison other than equality",
    "select 1 from batches where contract_address > $1",
    "batches is not compared by contract_address",
  ],
  [
    "a join without a parameter",
    "select 1 from batches b join batch_transfers t on t.contract_address = b.contract_address",
    "no distribution column is compared with a parameter",
  ],
  [
    "a second table without it",
    "select 1 from batches b, batch_transfers t where b.contract_address = $1",
    "batch_transfers t is not compared by contract_address",
  ],
  [
    "an insert without it",
    "insert into issuances (points) values ($1)",
    "inserts into issuances without contract_address",
  ],
  [
    "moving a row",
    "update batches set contract_address = $1 where contract_address = $2",
    "changes contract_address, by which rows are placed",
  ],
])("does not route %s", (_, statement, why) => {
  expect(whyCrossShard(statement)).toBe(why);
});

test("a recipient's address does not locate a contract's transfers", () => {
  const statement =
    "select 1 from batches b, batch_transfers t where t.contract_address = b.contract_address and t.to_address = $1";
  expect(whyCrossShard(statement)).toBe("no distribution column is compared with a parameter");
});

test("every file in the list of cross-shard statements exists", () => {
  for (const { in: place } of CROSS_SHARD.filter((entry) => entry.in !== BY_BUILDER))
    expect(existsSync(place), place).toBe(true);
});
