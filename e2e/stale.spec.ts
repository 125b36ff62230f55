import { expect } from "@playwright/test";
import { newPrefix, signIn, submit, test } from "./journey";
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
