import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  auth,
  batchPath,
  download,
  expectFits,
  newPrefix,
  signIn,
  storedBatch,
  submit,
  test,
} from "./journey";
import { ADMIN, CONTRACT } from "./people";

async function submitMany(request: APIRequestContext, prefix: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(3, "0")}`);
  while (ids.length > 0) await Promise.all(ids.splice(0, 10).map((id) => submit(request, { id })));
}

const bar = (page: Page) => page.getByRole("region", { name: "Selection" });
const box = (page: Page, id: string) => page.getByRole("checkbox", { name: `Select batch ${id}` });
const linkTo = (page: Page, id: string) => page.getByRole("link", { name: id });
const left = async (target: Locator) => (await target.boundingBox())?.x ?? Number.NaN;

/** Opens the preview, gives the reason and starts the job. */
async function confirm(page: Page, button: string, question: string, reason: string): Promise<void> {
  await bar(page).getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog", { name: `${question}?` });
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: question }).click();
}

test("selected rows are cancelled for one reason, and reported", async ({ page, request }) => {
  const prefix = newPrefix("bulk");
  const reason = `Wrong list ${prefix}`;
  const ids = ["a", "b", "c", "d", "e"].map((letter) => `${prefix}${letter}`);
  const [a, b, c, d, e] = ids as [string, string, string, string, string];
  for (const id of ids) await submit(request, { id });
  await request.delete(`/v1/contracts/${CONTRACT}/batches/${a}`, auth());
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await expect(linkTo(page, a)).toBeVisible();
  await page.waitForLoadState("networkidle");

  // Newest first. X selects the focused row, Shift and X up to another one, and X takes that away again.
  await linkTo(page, e).focus();
  await page.keyboard.press("x");
  await expect(bar(page)).toContainText("1 selected");
  await page.keyboard.press("ArrowDown");
  await expect(linkTo(page, d)).toBeFocused();
  await page.keyboard.press("Shift+x");
  await expect(bar(page)).toContainText("2 selected");
  await page.keyboard.press("x");
  await expect(bar(page)).toContainText("1 selected");
  await expect(box(page, d)).not.toBeChecked();
  // From the row toggled last, with Shift.
  await box(page, a).click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("5 selected");
  await box(page, c).click();
  await expect(bar(page)).toContainText("4 selected");

  await bar(page).getByRole("button", { name: "Cancel batches…" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel 3 batches?" });
  await expect(dialog).toContainText("Transfers9");
  await expect(dialog).toContainText("22.5 Points");
  await expect(dialog).toContainText("1 batch cannot be cancelled");
  await expect(dialog).toContainText("Already cancelled: 1 batch");
  await expectNoViolation(page);
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Cancel 3 batches" }).click();

  const result = page.getByRole("dialog", { name: "Cancel 3 batches" });
  const shown = [reason, "Finished", "Cancelled: 3 batches", "Left out: Already cancelled: 1 batch"];
  await expect(result.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "3 of 3");
  for (const words of shown) await expect(result).toContainText(words);
  await expectNoViolation(page, ["light", "dark"]);
  const report = await download(page, result.getByRole("link", { name: "Download report" }));
  const lines = report.trim().split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines.filter((line) => line.includes(",DONE,"))).toHaveLength(3);
  expect(lines.filter((line) => line.includes(",EXCLUDED,"))).toHaveLength(1);

  await result.getByRole("button", { name: "Close" }).click();
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Batches" })).toBeFocused();
  await expect(page.getByRole("row", { name: e })).toContainText("Cancelled");

  await page.goto(batchPath(b));
  await expect(page.getByText(`“${reason}”`)).toBeVisible();
  expect(await storedBatch(request, c)).toMatchObject({ status: "PENDING" });
  // Links to the former page of bulk jobs.
  await page.goto("/batches/jobs");
  await page.getByRole("row").filter({ hasText: reason }).getByRole("link", { name: "What it did" }).click();
  for (const words of shown) await expect(result).toContainText(words);
  const [, jobId] = /job=([0-9a-f-]{36})$/.exec(page.url())!;
  await result.getByRole("button", { name: "Close" }).click();
  await expect(page).toHaveURL("/access/audit?action=bulk.start");
  await page.goto(`/batches/jobs/${jobId}`);
  await expect(result.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "3 of 3");
});

test("all that match, loaded or not, are put on hold and released", async ({ page, request }) => {
  const prefix = newPrefix("many");
  await submitMany(request, prefix, 110);
  await signIn(page, ADMIN, `/batches?id=${prefix}&status=PENDING`);
  await expect(linkTo(page, `${prefix}109`)).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all loaded batches" }).check();
  await bar(page).getByRole("button", { name: "Select all that match" }).click();
  await expect(bar(page)).toContainText("All that match are selected");
  await confirm(page, "Put on hold…", "Put 110 batches on hold", "Checking the file");
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "110 of 110");

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/batches?id=${prefix}&status=HELD`);
  await box(page, `${prefix}109`).check();
  await expect(bar(page)).toContainText("1 selected");
  await expectFits(page);
  expect(await left(box(page, `${prefix}109`))).toBeLessThan(await left(linkTo(page, `${prefix}109`)));
  await confirm(page, "Release…", "Release 1 batch", "The file is right");
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "1 of 1");
  await expectFits(page);
  await page.goto(batchPath(`${prefix}109`));
  await expect(page.getByText("“The file is right”")).toBeVisible();
});
