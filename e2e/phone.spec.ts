import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { expectFits, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN } from "./people";

test.use({
  viewport: { width: 390, height: 800 },
  hasTouch: true,
  permissions: ["clipboard-read", "clipboard-write"],
});

test("on a phone rows are cards, and cancel and copy work", async ({ page, request }) => {
  const id = `${newPrefix("phone")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, `/batches?id=${id}`);
  const card = page.getByRole("listitem").filter({ hasText: id });
  await expect(card).toContainText("Pending");
  await expect(page.getByRole("table")).toHaveCount(0);
  await expectFits(page);
  await expectNoViolation(page);

  await card.tap({ position: { x: 30, y: 85 } });
  const sheet = page.getByRole("dialog", { name: "Batch" });
  await sheet.getByRole("button", { name: "Copy batch ID" }).tap();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  const overflows = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(overflows).toBe(false);
  await sheet.getByRole("button", { name: "Cancel batch…" }).tap();
  await page.getByLabel("Reason").fill("From the train");
  await page.getByRole("button", { name: "Cancel batch", exact: true }).tap();
  await expect(sheet.getByText("“From the train”")).toBeVisible();
});

test("the navigation opens in a drawer", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.getByRole("button", { name: "Open menu" }).tap();
  await page.getByRole("dialog").getByRole("link", { name: "Batches" }).tap();
  await expect(page.getByRole("dialog")).toBeHidden();
});
