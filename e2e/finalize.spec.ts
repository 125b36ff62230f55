import { expect } from "@playwright/test";
import { batchPath, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN } from "./people";

test("a batch becomes FINALIZED by itself, on its page and in the list", async ({
  page,
  context,
  request,
}) => {
  const id = `${newPrefix("watch")}1`;
  await signIn(page, ADMIN, `/batches?id=${id}`);
  await submit(request, { id, seconds: 8, transfers: 40 });
  await page.reload();
  const row = page.getByRole("row", { name: id });
  await expect(row.getByText("Pending")).toBeVisible();

  const alone = await context.newPage();
  await alone.goto(batchPath(id));
  await expect(alone.getByText(/^in \d s$/).first()).toBeVisible();
  await expect(alone.getByText("Finalized, recipients credited")).toBeVisible();
  await expect(alone.getByRole("button", { name: "Cancel batch…" })).toHaveCount(0);
  await page.bringToFront();
  await expect(row.getByText("Finalized")).toBeVisible();
});
