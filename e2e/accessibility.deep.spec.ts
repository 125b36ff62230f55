import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { addFilter, batchPath, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN, CONTRACT } from "./people";

test.describe("in both themes", () => {
  test.use({ reducedMotion: "reduce" });

  test("sign-in", async ({ page }) => {
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Enter your email.")).toBeVisible();
    await expectNoViolation(page);
  });

  test("list, filter, menus, sheet, cancel dialog, batch page, empty and not found", async ({
    page,
    request,
  }) => {
    const prefix = newPrefix("axe");
    await submit(request, { id: `${prefix}1`, transfers: 60 });
    await submit(request, { id: `${prefix}2`, transfers: 50 });
    await signIn(page, ADMIN);
    await expect(page.getByRole("link", { name: `${prefix}1` })).toBeVisible();
    await expectNoViolation(page);
    const buttons = ["Status", "Type", "Add filter", "Columns and export", "Saved views", ADMIN.email];
    for (const name of [...buttons, "Created", "Contract", "Submitted by"]) {
      if (buttons.includes(name)) await page.getByRole("button", { name }).first().click();
      else await addFilter(page, name);
      // Its code is loaded on first use.
      if (name === "Created") await expect(page.getByRole("grid").first()).toBeVisible();
      await page.waitForTimeout(400);
      await expectNoViolation(page);
      await page.keyboard.press("Escape");
    }
    await page.goto(`/batches?id=${prefix}&open=${CONTRACT}/${prefix}1`);
    await expect(page.getByRole("dialog", { name: "Batch" }).getByText("Timeline")).toBeVisible();
    await expectNoViolation(page);
    await page.goto(batchPath(`${prefix}1`));
    await expect(page.getByText("Timeline")).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expectNoViolation(page);
    await page.getByRole("button", { name: "Cancel batch…" }).click();
    await expect(page.getByLabel("Reason")).toBeFocused();
    await expectNoViolation(page);
    await page.goto(`/batches?id=${prefix}nothing`);
    await expect(page.getByText("No batches match these filters")).toBeVisible();
    await expectNoViolation(page);
    await page.goto(batchPath("no-such-batch"));
    await expect(page.getByText("Batch not found")).toBeVisible();
    await expectNoViolation(page);
  });
});
