import { expect } from "@playwright/test";
import {
  addFilter,
  download,
  inListMenu,
  listedIds,
  newPrefix,
  openAs,
  pathOf,
  signIn,
  submit,
  test,
  walletOf,
} from "./journey";
import { ADMIN, VIEWER } from "./people";

test("a filtered list is shared and exported, and Back undoes filters", async ({
  page,
  browser,
  request,
}) => {
  const prefix = newPrefix("share");
  await submit(request, { id: `${prefix}one`, transfers: 2 });
  await submit(request, { id: `${prefix}two`, transfers: 5 });
  await submit(request, { id: `${prefix}gold`, transfers: 5, pointType: "PHASE2_GOLD" });

  await signIn(page, ADMIN);
  await addFilter(page, "Batch ID");
  await page.getByLabel("Batch ID starts with").fill(prefix);
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => listedIds(page)).toEqual([`${prefix}gold`, `${prefix}two`, `${prefix}one`]);

  await addFilter(page, "Recipient");
  await page.getByLabel("Recipient address").fill("0x12");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Enter 0x followed by 40 hex digits.")).toBeVisible();
  await page.getByLabel("Recipient address").fill(walletOf(5));
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => listedIds(page)).toEqual([`${prefix}gold`, `${prefix}two`]);

  await addFilter(page, "Type");
  await page.getByRole("checkbox", { name: /^Points \d/ }).click();
  await expect.poll(() => listedIds(page)).toEqual([`${prefix}two`]);

  const theirs = await openAs(browser, VIEWER, pathOf(page));
  await expect.poll(() => listedIds(theirs)).toEqual([`${prefix}two`]);

  const lines = (await download(page, await inListMenu(page, "Export CSV"))).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`${prefix}two`);

  await page.goBack();
  await expect.poll(() => listedIds(page)).toEqual([`${prefix}gold`, `${prefix}two`]);
  await page.getByRole("button", { name: "Clear Recipient" }).click();
  await expect.poll(() => listedIds(page)).toHaveLength(3);
  await page.goto(`/batches?id=${prefix}nothing`);
  await expect(page.getByRole("heading", { name: "No batches match these filters" })).toBeVisible();
});

test("new batches are announced, and stale rows stay with a notice", async ({ page, request }) => {
  const prefix = newPrefix("new");
  await submit(request, { id: `${prefix}first` });
  await signIn(page, ADMIN, `/batches?id=${prefix}&status=PENDNG`);
  await expect(page.getByRole("heading", { name: "This link has invalid filters" })).toBeVisible();
  await expect(page.getByText("status=PENDNG", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Columns and export" })).toHaveCount(0);
  expect(await listedIds(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove invalid filters" }).click();
  await expect.poll(() => listedIds(page)).toEqual([`${prefix}first`]);

  await submit(request, { id: `${prefix}second` });
  const pill = page.getByRole("button", { name: "Show 1 new" });
  await expect(pill).toBeVisible();
  expect(await listedIds(page)).toEqual([`${prefix}first`]);
  await pill.click();
  await expect.poll(() => listedIds(page)).toEqual([`${prefix}second`, `${prefix}first`]);

  await page.route("**/api/trpc/**", (call) => call.abort());
  await expect(page.getByText("This page may be out of date: the last update failed.")).toBeVisible();
  expect(await listedIds(page)).toHaveLength(2);
});
