import { expect } from "@playwright/test";
import { signInByForm, test } from "./journey";
import { ADMIN } from "./people";

test("a wrong password is refused in words, the right one leads to the page asked for", async ({ page }) => {
  await page.goto("/batches?status=PENDING");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fbatches%3Fstatus%3DPENDING/);
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("The e-mail or the password is not right.")).toBeVisible();
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/batches\?status=PENDING/);
  await expect(page.getByRole("heading", { name: "Batches" })).toBeVisible();
});

test("before the page's script runs, nothing is sent and no password gets into the address", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeDisabled();
  await page.getByLabel("Password").press("Enter");
  await expect(page).toHaveURL(/\/sign-in$/);
  await context.close();
});

test("whoever opens the page can write the e-mail at once; empty fields are named", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Write your e-mail.")).toBeVisible();
  await expect(page.getByText("Write your password.")).toBeVisible();
});

for (const elsewhere of [
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example",
  "javascript:alert(1)",
]) {
  test(`sign-in never leads to ${elsewhere}`, async ({ page }) => {
    await signInByForm(page, ADMIN, elsewhere);
    await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/batches$/);
  });
}

test("signing out ends the session", async ({ page }) => {
  await signInByForm(page, ADMIN);
  await page.getByRole("button", { name: ADMIN.email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/batches");
  await expect(page).toHaveURL(/\/sign-in/);
});
