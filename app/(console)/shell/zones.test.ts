import { expect, test } from "vitest";
import { isTimeZone } from "@/server/kernel/values/batch-terms";
import { findZones } from "./zone-panel";

test("every zone can be found, those that matter first, each once", () => {
  const all = findZones("", ["Europe/Berlin", "UTC", "Europe/Berlin"]);
  expect(all.slice(0, 2)).toEqual(["Europe/Berlin", "UTC"]);
  expect(new Set(all).size).toBe(all.length);
  for (const zone of Intl.supportedValuesOf("timeZone")) expect(all).toContain(zone);
});

test.each([
  ["new york", "America/New_York"],
  ["  NEW_york ", "America/New_York"],
  ["america/new", "America/New_York"],
  ["chatham", "Pacific/Chatham"],
])("%j finds %s", (search, zone) => {
  expect(findZones(search, ["UTC"])).toContain(zone);
});

test("an older name of a zone is found by its whole name, and an offset is no zone", () => {
  expect(findZones("US/Eastern", ["UTC"])).toEqual(["US/Eastern"]);
  expect(findZones("+05:30", ["UTC"])).toEqual([]);
  expect(isTimeZone("+05:30")).toBe(false);
  expect(isTimeZone("Mars/Olympus")).toBe(false);
});
