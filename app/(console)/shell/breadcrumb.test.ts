import { expect, test } from "vitest";
import { crumbsOf } from "./breadcrumb";

const CONTRACT = "0x00000000000000000000000000000000C0FFEE01";

test.each([
  ["/batches", ["Batches"]],
  ["/batches/new", ["Batches", "New batch"]],
  [`/batches/${CONTRACT}/payout%3A1`, ["Batches", "0x0000…FFEE01", "payout:1"]],
  [`/contracts/${CONTRACT}`, ["Contracts", CONTRACT]],
  [`/contracts/${CONTRACT}/webhooks`, ["Contracts", "0x0000…FFEE01", "Webhooks"]],
  [`/recipients/${CONTRACT}`, ["Recipients", CONTRACT]],
  ["/batches/%E0%A4%A", ["Batches", "%E0%A4%A"]],
  [`/contracts/${CONTRACT}/statements`, ["Contracts", "0x0000…FFEE01", "Statements"]],
  ["/access/audit", ["Team", "Audit log"]],
  ["/profile", ["Your profile"]],
  ["/elsewhere", []],
])("the breadcrumb of %s is %j", (path, names) => {
  expect(crumbsOf(path).map(({ name }) => name)).toEqual(names);
});
