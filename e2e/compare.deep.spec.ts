import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { batchPath, newPrefix, signIn, submit, test, walletOf } from "./journey";
import { VIEWER } from "./people";

test("the differences of one kind are listed alone, by a link that can be shared, and downloaded alone", async ({
  page,
  request,
}) => {
  const prefix = newPrefix("compare");
  const [january, february] = [`${prefix}january`, `${prefix}february`];
  await submit(request, {
    id: january,
    rows: [
      [walletOf(1), "10"],
      [walletOf(2), "7.5"],
      [walletOf(3), "4.000000000001"],
      [walletOf(6), "1"],
    ],
  });
  await submit(request, {
    id: february,
    rows: [
      [walletOf(1), "10"],
      [walletOf(3), "4"],
      [walletOf(5), "100"],
    ],
  });
  await signIn(page, VIEWER, `${batchPath(february)}/compare?with=${january}`);
  const list = page.getByRole("region", { name: "Recipients that differ", exact: true });
  await expect(list.getByRole("row")).toHaveCount(5);
  await expect(list.getByRole("row").nth(4)).toContainText(/Changed.*4\.000000000001.*4.*−0\.000000000001/);
  const figure = (name: string) => page.getByRole("term").filter({ hasText: name }).locator("..");
  await expect(figure("Difference (Points)")).toContainText("+91.499999999999");
  await expect(figure("Difference (transfers)")).toContainText("−1");

  const show = page.getByRole("navigation", { name: "Show", exact: true });
  await show.getByRole("link", { name: "Removed", exact: true }).click();
  await expect(page).toHaveURL(/show=removed$/);
  await expect(list.getByRole("row")).toHaveCount(3);
  await expect(list.getByRole("row").nth(1)).toContainText(/Removed.*7\.5.*None.*−7\.5/);
  await page.reload();
  await expect(list.getByRole("row")).toHaveCount(3);
  await expect(show.getByRole("link", { name: "Removed", exact: true })).toHaveAttribute(
    "aria-current",
    "true",
  );
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV", exact: true }).click();
  const csv = (await readFile(await (await waiting).path(), "utf8")).replace(/^\uFEFF/, "");
  expect(csv.toLowerCase().split("\r\n")).toEqual([
    "to_address,label,change,before,after,difference",
    `${walletOf(2)},,removed,7.5,0,-7.5`,
    `${walletOf(6)},,removed,1,0,-1`,
    "",
  ]);
  await expectNoViolation(page);

  await show.getByRole("link", { name: "All changes", exact: true }).click();
  await expect(list.getByRole("row")).toHaveCount(5);
});
