import { readFile } from "node:fs/promises";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  auth,
  batchPath,
  chooseFile,
  confirmFindings,
  csvFile,
  inListMenu,
  newPrefix,
  openNewBatch,
  reviewRows,
  signIn,
  storedBatch,
  submit,
  test,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

async function submitMany(request: APIRequestContext, prefix: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(3, "0")}`);
  while (ids.length > 0) await Promise.all(ids.splice(0, 10).map((id) => submit(request, { id })));
}

const bar = (page: Page) => page.getByRole("region", { name: "Selection" });
const box = (page: Page, id: string) => page.getByRole("checkbox", { name: `Select batch ${id}` });
const linkTo = (page: Page, id: string) => page.getByRole("link", { name: id });

/** Opens the preview, gives the reason and starts the job. */
async function confirm(page: Page, button: string, question: string, reason: string): Promise<void> {
  await bar(page).getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog", { name: `${question}?` });
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: question }).click();
  await page.waitForURL(/\/batches\/jobs\/[0-9a-f-]{36}$/);
}

test("rows selected by keyboard and pointer are counted, cancelled for one reason, and reported", async ({
  page,
  request,
}) => {
  const prefix = newPrefix("bulk");
  const ids = ["a", "b", "c", "d", "e"].map((letter) => `${prefix}${letter}`);
  const [a, b, c, d, e] = ids as [string, string, string, string, string];
  for (const id of ids) await submit(request, { id });
  await request.delete(`/v1/contracts/${CONTRACT}/batches/${a}`, auth());
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await expect(linkTo(page, a)).toBeVisible();
  await page.waitForLoadState("networkidle");

  // Newest first. Space selects the focused row, Shift and an arrow key its neighbour, X takes it away again.
  await linkTo(page, e).focus();
  await page.keyboard.press("Space");
  await expect(bar(page)).toContainText("1 selected");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(linkTo(page, d)).toBeFocused();
  await expect(bar(page)).toContainText("2 selected");
  await page.keyboard.press("x");
  await expect(bar(page)).toContainText("1 selected");
  await expect(box(page, d)).not.toBeChecked();
  // From the row toggled last, with Shift.
  await box(page, a).click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("5 selected");
  await box(page, c).click();
  await expect(bar(page)).toContainText("4 selected");
  await expectNoViolation(page);

  await bar(page).getByRole("button", { name: "Cancel batches…" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel 3 batches?" });
  await expect(dialog).toContainText("Transfers9");
  await expect(dialog).toContainText("22.5 Points");
  await expect(dialog).toContainText("1 batch cannot be cancelled");
  await expect(dialog).toContainText("Already cancelled: 1 batch");
  await expectNoViolation(page);
  await dialog.getByRole("button", { name: "Cancel 3 batches" }).click();
  await expect(dialog.getByText("Enter a reason of at least 3 characters.")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Wrong list of recipients");
  await dialog.getByRole("button", { name: "Cancel 3 batches" }).click();

  await expect(page.getByRole("heading", { name: "Cancel 3 batches" })).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "3 of 3");
  await expect(page.getByText("Finished", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Wrong list of recipients")).toBeVisible();
  await expect(page.getByRole("row", { name: /Excluded in the preview/ })).toContainText("Already cancelled");
  await expectNoViolation(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download report" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines.filter((line) => line.includes(",DONE,"))).toHaveLength(3);
  expect(lines.filter((line) => line.includes(",EXCLUDED,"))).toHaveLength(1);

  await page.goto(batchPath(b));
  await expect(page.getByText("“Wrong list of recipients”")).toBeVisible();
  expect(await storedBatch(request, c)).toMatchObject({ status: "PENDING" });
  await page.goto("/access/audit?action=bulk.start");
  await expect(page.getByRole("link", { name: "Bulk job" }).first()).toBeVisible();
});

test("all that match, loaded or not, are put on hold as one job and released as another", async ({
  page,
  request,
}) => {
  const prefix = newPrefix("many");
  await submitMany(request, prefix, 130);
  await signIn(page, ADMIN, `/batches?id=${prefix}&status=PENDING`);
  await expect(linkTo(page, `${prefix}129`)).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all loaded batches" }).check();
  await bar(page).getByRole("button", { name: "Select all 130 that match" }).click();
  await expect(bar(page)).toContainText("All 130 that match are selected");
  await confirm(page, "Put on hold…", "Put 130 batches on hold", "Checking the file");
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "130 of 130");

  await page.goto(`/batches?id=${prefix}&status=HELD`);
  await expect(linkTo(page, `${prefix}129`)).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all loaded batches" }).check();
  await bar(page).getByRole("button", { name: "Select all 130 that match" }).click();
  await confirm(page, "Release…", "Release 130 batches", "The file is right");
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "130 of 130");
  await page.goto(batchPath(`${prefix}000`));
  await expect(page.getByText("“The file is right”")).toBeVisible();
});

test("a running job is stopped from its page, which asks once", async ({ page, request }) => {
  const prefix = newPrefix("stop");
  await submit(request, { id: `${prefix}a` });
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await box(page, `${prefix}a`).check();
  await confirm(page, "Put on hold…", "Put 1 batch on hold", "Checking the file");
  await expect(page.getByText("Finished", { exact: true }).first()).toBeVisible();
  // However fast it was, the page sees a job that still runs. The database tests stop jobs that really do.
  await page.route(/\/batches\/jobs\/|console\.bulk\.get/, async (route) => {
    const reply = await route.fetch();
    const body = (await reply.text()).replaceAll(/(status\\?":\\?")FINISHED/g, "$1RUNNING");
    await route.fulfill({ response: reply, body });
  });
  await page.reload();
  await page.getByRole("button", { name: "Stop job…" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop this job?" });
  await expect(dialog).toContainText("Changes already made are kept. A stopped job cannot be resumed.");
  await expectNoViolation(page);
  await dialog.getByRole("button", { name: "Stop job" }).click();
  await expect(dialog).toBeHidden();
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
  await expect(page.getByText("Finished", { exact: true }).first()).toBeVisible();
});

test("a viewer sees jobs, but selects nothing and stops nothing", async ({ page, request }) => {
  const prefix = newPrefix("seen");
  await submit(request, { id: `${prefix}a` });
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await box(page, `${prefix}a`).check();
  await confirm(page, "Cancel batches…", "Cancel 1 batch", "Seen by a viewer");
  const { pathname } = new URL(page.url());
  await expect(page.getByText("Finished", { exact: true }).first()).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, VIEWER, pathname);
  await expect(page.getByText("Seen by a viewer")).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop job…" })).toHaveCount(0);
  await page.goto(`/batches?id=${prefix}`);
  await expect(linkTo(page, `${prefix}a`)).toBeVisible();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await page.goto("/batches/jobs/0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d");
  await expect(page.getByText("Bulk job not found")).toBeVisible();
});

test("jobs are found in the list, by the search, and on a phone", async ({ page, request }) => {
  const prefix = newPrefix("found");
  await submit(request, { id: `${prefix}a` });
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await box(page, `${prefix}a`).check();
  await confirm(page, "Put on hold…", "Put 1 batch on hold", `Found by ${prefix}`);
  await page.goto("/batches");
  await (await inListMenu(page, "Bulk jobs")).click();
  const row = page.getByRole("row").filter({ hasText: `Found by ${prefix}` });
  await expect(row).toContainText("Hold 1 batch");
  await expectNoViolation(page);
  await row.getByRole("link", { name: "Hold 1 batch" }).click();
  await expect(page.getByRole("heading", { name: "Hold 1 batch" })).toBeVisible();

  await page.keyboard.press("/");
  await page.getByPlaceholder("Search batches, contracts").fill("bulk");
  await page.getByRole("option", { name: "Bulk jobs" }).click();
  await expect(page.getByRole("heading", { name: "Bulk jobs" })).toBeVisible();

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/batches?id=${prefix}`);
  await box(page, `${prefix}a`).check();
  await expect(bar(page)).toContainText("1 selected");
  await expectNoViolation(page);
  const overflows = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(overflows).toBe(false);
  await confirm(page, "Cancel batches…", "Cancel 1 batch", "From the train");
  await expect(page.getByText("From the train")).toBeVisible();
  await expectNoViolation(page);
});

test("the batches of one file are linked, listed together and cancelled together", async ({ page }) => {
  const reference = newPrefix("file").slice(0, -1);
  await openNewBatch(page);
  const rows = Array.from({ length: 4001 }, (_, at) => `0x2${at.toString(16).padStart(39, "0")},1.5`);
  await chooseFile(page, csvFile("payout.csv", rows));
  await reviewRows(page, reference);
  await confirmFindings(page);
  await page.getByRole("button", { name: /^Submit/ }).click();
  await page.getByRole("link", { name: "All of one uploaded file" }).click();
  await expect(page).toHaveURL(/\/batches\?upload=/);
  await expect(page.locator("[data-batch-link]")).toHaveCount(3);

  await page.locator("[data-batch-link]").nth(1).click();
  const sheet = page.getByRole("dialog", { name: "Batch" });
  const note = sheet.getByRole("region", { name: "Uploaded file" });
  await expect(note).toContainText("Part 2 of 3 of payout.csv");
  await expectNoViolation(page);
  await note.getByRole("button", { name: "Cancel batches…" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel 3 batches?" });
  await expect(dialog).toContainText("6,001.5 Points");
  await dialog.getByLabel("Reason").fill("The file was wrong");
  await dialog.getByRole("button", { name: "Cancel 3 batches" }).click();
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "3 of 3");
  await page.getByRole("link", { name: "All of one uploaded file" }).click();
  await expect(page.getByText("Cancelled").first()).toBeVisible();
  await page.getByRole("button", { name: /One upload/ }).click();
  await expect(page).not.toHaveURL(/upload=/);
});
