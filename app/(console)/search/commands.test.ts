import { expect, test } from "vitest";
import { crumbsOf } from "@/app/(console)/shell/breadcrumb";
import { findZones } from "@/app/(console)/shell/zone-panel";
import { isNamed, PAGES } from "./commands";
import { requestPlaces } from "./items";

const found = (text: string) =>
  PAGES.filter(({ name, aliases }) => isNamed(text, name, aliases)).map(({ path }) => path);

test("every word of the text counts, in any letter case and order", () => {
  expect(found("HOLD on")).toEqual(["/batches?status=HELD&sort=DUE"]);
  expect(found("audit nonsense")).toEqual([]);
});

const REQUEST = "6f1e2c9a-1b2c-4d3e-8f40-5a6b7c8d9e0f";

test("a request ID leads to what the request changed", () => {
  const [group] = requestPlaces(` ${REQUEST.toUpperCase()}\n`);
  expect(group?.items[0]?.href).toBe(`/access/audit?request=${REQUEST}`);
});

const CONTRACT = "0x00000000000000000000000000000000C0FFEE01";

test.each([
  [`/batches/${CONTRACT}/payout%3A1`, ["Batches", "0x0000…FFEE01", "payout:1"]],
  [`/recipients/${CONTRACT}`, ["Recipients", CONTRACT]],
  ["/batches/%E0%A4%A", ["Batches", "%E0%A4%A"]],
  ["/access/audit", ["Team", "Audit log"]],
])("the breadcrumb of %s is %j", (path, names) => {
  expect(crumbsOf(path).map(({ name }) => name)).toEqual(names);
});

test.each([
  ["new york", "America/New_York"],
  ["  NEW_york ", "America/New_York"],
  ["chatham", "Pacific/Chatham"],
])("%j finds %s", (search, zone) => {
  expect(findZones(search, ["UTC"])).toContain(zone);
});
