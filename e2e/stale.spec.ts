import { expect } from "@playwright/test";
import { newPrefix, signIn, signInByForm, submit, test } from "./journey";
import { ADMIN } from "./people";

test("when the service is unreachable, the rows stay with a notice that they may be out of date", async ({
  page,
  request,
}) => {
  const id = `${newPrefix("stale")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, `/batches?id=${id}`);
  await expect(page.getByRole("link", { name: id })).toBeVisible();
  await page.route("**/api/trpc/**", (call) => call.abort());
  await expect(page.getByText("This list may be out of date: the last update failed.")).toBeVisible({
    timeout: 25_000,
  });
  await expect(page.getByRole("link", { name: id })).toBeVisible();
});

test("an expired session is announced, and sign-in returns to the same page", async ({ page }) => {
  const path = `/batches?id=${newPrefix("ended")}`;
  await signInByForm(page, ADMIN, path);
  await expect(page.getByText("No batches match these filters")).toBeVisible();
  await page.context().clearCookies();
  await expect(page.getByText("Your session has ended.")).toBeVisible({ timeout: 25_000 });
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(path);
});
