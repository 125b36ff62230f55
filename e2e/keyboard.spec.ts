import { expect } from "@playwright/test";
import { newPrefix, signIn, submit, test } from "./journey";
import { ADMIN } from "./people";

test("list, sheet and back again with the keyboard alone", async ({ page, request }) => {
  const prefix = newPrefix("keys");
  await submit(request, { id: `${prefix}a` });
  await submit(request, { id: `${prefix}b` });
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  const first = page.getByRole("link", { name: `${prefix}b` });
  const second = page.getByRole("link", { name: `${prefix}a` });
  await expect(first).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.getByRole("heading", { name: "Batches" }).click();
  for (
    let tabs = 0;
    tabs < 40 && !(await first.evaluate((link) => link === document.activeElement));
    tabs++
  ) {
    await page.keyboard.press("Tab");
  }
  await expect(first).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(second).toBeFocused();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Batch" });
  await expect(sheet.getByRole("heading", { name: `${prefix}a` })).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(page).not.toHaveURL(/open=/);
  await expect(second).toBeFocused();
});
