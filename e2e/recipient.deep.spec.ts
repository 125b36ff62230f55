import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { addFilter, download, newAddress, newPrefix, pay, signIn, test } from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

test("the recipient filter of the list leads to what an address received", async ({ page, request }) => {
  test.slow();
  const to = newAddress();
  const prefix = newPrefix("recipient");
  await pay(request, { id: `${prefix}1`, to, points: "10.000000000001", seconds: 1 });
  await pay(request, { id: `${prefix}2`, to, points: "0.5", seconds: 1 });
  await pay(request, { id: `${prefix}3`, to, points: "2", pointType: "PHASE2_GOLD" });
  await signIn(page, VIEWER);
  await addFilter(page, "Recipient");
  await page.getByLabel("Recipient address").fill(to);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("link", { name: "View recipient" }).click();

  await expect(page.getByRole("region", { name: "Points totals" })).toContainText("10.500000000001received");
  const gold = page.getByRole("region", { name: "Gold totals" });
  await expect(gold).toContainText("0received");
  await expect(gold).toContainText("2 pending in 1 transfer, next due in");
  await expect(page.getByText(/latest batch .* \(pending\)$/)).toBeVisible();
  const cellsOf = (id: string) => page.getByRole("row", { name: `${prefix}${id}` }).getByRole("cell");
  await expect(cellsOf("3").nth(4)).toHaveText("Balance0");
  await expect(cellsOf("2").nth(4)).toHaveText("Balance10.500000000001");
  await expect(cellsOf("1").nth(4)).toHaveText("Balance10.000000000001");
  await expect(cellsOf("3").nth(5)).toHaveText("Credited–");
  await expect(cellsOf("1").nth(5)).toHaveText(/^Credited\d{4}-/);
  await expectNoViolation(page);

  const file = await download(page, page.getByRole("link", { name: "Download CSV" }));
  const [, ...lines] = file.trim().split("\r\n");
  expect(lines.map((line) => line.split(",").slice(5, 10))).toEqual([
    [`${prefix}1`, "PHASE2_POINTS", "10.000000000001", "10.000000000001", "0"],
    [`${prefix}2`, "PHASE2_POINTS", "0.5", "10.500000000001", "0"],
    [`${prefix}3`, "PHASE2_GOLD", "2", "10.500000000001", "0"],
  ]);

  // The banner of an alert may name the contract too.
  await page.getByRole("main").getByRole("link", { name: "Journeys" }).first().click();
  await expect(page.getByRole("heading", { name: "Journeys" })).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: `${prefix}1` }).click();
  await page.getByRole("region", { name: "Batch transfers" }).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/recipients/${to}`, "i"));
});

test("an address without transfers and an invalid address have different messages", async ({ page }) => {
  await signIn(page, ADMIN, `/recipients/${newAddress()}`);
  await expect(page.getByText("No transfers to this address")).toBeVisible();
  await expectNoViolation(page);
  await page.goto("/recipients/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD");
  await expect(page.getByRole("heading", { name: "Invalid address" })).toBeVisible();
});

test("a contract as a recipient links to its own page", async ({ page }) => {
  await signIn(page, ADMIN, `/recipients/${CONTRACT}`);
  await page.getByRole("link", { name: "Contract Journeys" }).click();
  await expect(page.getByRole("heading", { name: "Journeys" })).toBeVisible();
});

test.describe("on a phone, in the dark", () => {
  test.use({ viewport: { width: 390, height: 800 }, colorScheme: "dark" });

  test("transfers are cards", async ({ page, request }) => {
    const to = newAddress();
    await pay(request, { id: `${newPrefix("phone-paid")}1`, to, points: "12345678901234567890.5" });
    await signIn(page, ADMIN, `/recipients/${to}`);
    const list = page.getByRole("region", { name: "Transfers to the address" });
    await expect(list).toContainText("12,345,678,901,234,567,890.5");
    expect(await list.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
    await expectNoViolation(page);
  });
});
