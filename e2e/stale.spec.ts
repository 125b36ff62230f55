import { expect } from "@playwright/test";
import { newPrefix, signIn, signInByForm, submit, test } from "./journey";
import { ADMIN } from "./people";

test("when the service cannot be reached the rows stay, and say that they may be old", async ({
  page,
  request,
}) => {
  const id = `${newPrefix("stale")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, `/batches?id=${id}`);
  await expect(page.getByRole("link", { name: id })).toBeVisible();
  await page.route("**/api/trpc/**", (call) => call.abort());
  await expect(page.getByText("These rows may be old: the last update failed.")).toBeVisible({
    timeout: 25_000,
  });
  await expect(page.getByRole("link", { name: id })).toBeVisible();
});

test("who is signed out while a page is open is told so, signs in and is back where they were", async ({
  page,
}) => {
  const path = `/batches?id=${newPrefix("ended")}`;
  await signInByForm(page, ADMIN, path);
  await expect(page.getByText("No batch matches these filters")).toBeVisible();
  await page.context().clearCookies();
  await expect(page.getByText("Your session has ended.")).toBeVisible({ timeout: 25_000 });
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(path);
});
