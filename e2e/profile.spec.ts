import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { expectSignedOut, signInByForm, test } from "./journey";
import { ENDER, LEAVER } from "./people";

test.use({ reducedMotion: "reduce" });

test("a session that was ended from another browser is signed out", async ({ page, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await signInByForm(other, ENDER);
  await signInByForm(page, ENDER);
  await page.getByRole("button", { name: ENDER.email }).click();
  await page.getByRole("menuitem", { name: "Your profile" }).click();
  await expect(page.getByRole("heading", { name: "Your profile" })).toBeVisible();
  await expect(page.getByText("This session")).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("button", { name: "End session: Chrome on Linux" }).first().click();
  await expect(page.locator("[data-sonner-toast]")).toContainText("Session ended");
  await expectSignedOut(other);
  await page.goto("/batches");
  await expect(page.getByRole("heading", { name: "Batches", exact: true })).toBeVisible();
  await other.context().close();
});

test("after signing out, the cookie that was copied before opens nothing", async ({ page, browser }) => {
  await signInByForm(page, LEAVER);
  const copied = await page.context().cookies();
  await page.getByRole("button", { name: LEAVER.email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  const thief = await browser.newContext();
  await thief.addCookies(copied);
  const stolen = await thief.newPage();
  await stolen.goto("/batches");
  await expect(stolen).toHaveURL(/\/sign-in/);
  expect(await (await stolen.request.get("/api/auth/session")).json()).toEqual({});
  await thief.close();
});
