import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { newPrefix, signIn, submit, test } from "./journey";
import { ADMIN } from "./people";

test("list, sheet and back with the keyboard only", async ({ page, request }) => {
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

test("?, the menu and the search show the keyboard shortcuts, and Escape closes them", async ({ page }) => {
  await signIn(page, ADMIN);
  await expect(page.getByRole("heading", { name: "Batches" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.keyboard.press("?");
  await expect(keys.getByText("Next or previous batch")).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();

  const person = page.getByRole("button", { name: ADMIN.email });
  await person.click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(keys).toBeVisible();
  await keys.getByRole("button", { name: "Close" }).click();
  await expect(keys).toBeHidden();
  await expect(person).toBeFocused();

  await page.keyboard.press("/");
  const search = page.getByPlaceholder("Search batches, contracts");
  await search.pressSequentially("shortcuts?");
  await expect(search).toHaveValue("shortcuts?");
  await expect(keys).toBeHidden();
  await search.fill("shortcuts");
  await page.keyboard.press("Enter");
  await expect(keys).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(person).toBeFocused();
});
