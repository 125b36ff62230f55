import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { expectSignedOut, signInByForm, test } from "./journey";
import { ADMIN, ENDER } from "./people";

test.use({ reducedMotion: "reduce" });

test("sign-in leads to the requested page, also after the session has ended", async ({ page }) => {
  await page.goto("/batches?status=PENDING");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fbatches%3Fstatus%3DPENDING/);
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Enter your email.")).toBeVisible();
  await expect(page.getByText("Enter your password.")).toBeVisible();
  await expectNoViolation(page);
  const signIn = async (password: string) => {
    await page.getByLabel("Email").fill(ADMIN.email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await signIn("not the password");
  await expect(page.getByText("Incorrect email or password.")).toBeVisible();
  await signIn(ADMIN.password);
  await expect(page).toHaveURL(/\/batches\?status=PENDING/);
  await expect(page.getByRole("heading", { name: "Batches", exact: true })).toBeVisible();

  await page.context().clearCookies();
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await signIn(ADMIN.password);
  await expect(page).toHaveURL(/\/batches\?status=PENDING/);
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

test("an ended session opens nothing, on the other browser or after signing out", async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  await signInByForm(other, ENDER);
  await signInByForm(page, ENDER);
  const menu = page.getByRole("button", { name: ENDER.email });
  await menu.click();
  await page.getByRole("menuitem", { name: "Your profile" }).click();
  await expect(page.getByRole("heading", { name: "Your profile" })).toBeVisible();
  await expect(page.getByText("This session")).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("button", { name: "End session: Chrome on Linux" }).first().click();
  await expect(page.locator("[data-sonner-toast]")).toContainText("Session ended");
  await expectSignedOut(other);
  await page.goto("/batches");
  await expect(page.getByRole("heading", { name: "Batches", exact: true })).toBeVisible();

  await menu.click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/batches");
  await expect(page).toHaveURL(/\/sign-in/);
});
