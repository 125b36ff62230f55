import { expect } from "@playwright/test";
import { signInByForm, test } from "./journey";
import { ADMIN } from "./people";

test("a wrong password shows an error, and the right one leads to the requested page", async ({ page }) => {
  await page.goto("/batches?status=PENDING");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fbatches%3Fstatus%3DPENDING/);
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Incorrect email or password.")).toBeVisible();
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/batches\?status=PENDING/);
  await expect(page.getByRole("heading", { name: "Batches", exact: true })).toBeVisible();
});

test("without script, nothing is submitted and no password ends up in the URL", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeDisabled();
  await page.getByLabel("Password").press("Enter");
  await expect(page).toHaveURL(/\/sign-in$/);
  await context.close();
});

test("the email field has the focus, and empty fields are reported", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Enter your email.")).toBeVisible();
  await expect(page.getByText("Enter your password.")).toBeVisible();
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
