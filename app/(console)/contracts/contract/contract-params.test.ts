import { expect, test } from "vitest";
import { contractViewPath, loadContractParams } from "@/app/(console)/contracts/params";

test("an unknown range falls back to 30 days and 24 hours", () => {
  const daysOf = (days?: string) => loadContractParams({ days }).days;
  expect([daysOf("7"), daysOf("90"), daysOf("31"), daysOf()]).toEqual([7, 90, 30, 30]);
  const forecastOf = (forecast?: string) => loadContractParams({ forecast }).forecast;
  expect([forecastOf("days"), forecastOf("years"), forecastOf()]).toEqual(["days", "hours", "hours"]);
});

test("a link to one range keeps the other", () => {
  expect(contractViewPath("0x1", { days: 7, forecast: "days" })).toBe("/contracts/0x1?days=7&forecast=days");
});
