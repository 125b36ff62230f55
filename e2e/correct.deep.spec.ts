import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  batchPath,
  confirmFindings,
  decide,
  newAddress,
  newPrefix,
  openAs,
  openSearch,
  signIn,
  submit,
  test,
  walletOf,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";
import { createContract } from "./setup";

test("a cancelled batch is corrected, and both pages link to the other batch", async ({ page, request }) => {
  const id = `${newPrefix("correct")}march`;
  await submit(request, {
    id,
    rows: [
      [walletOf(1), "1.5"],
      [walletOf(2), "2.5", `"${id}", 2`],
      [walletOf(3), "3.5"],
    ],
  });
  await signIn(page, ADMIN, batchPath(id));
  await decide(page, "Cancel batch", "Cancel this batch?", "Wrong amounts");
  await page.getByRole("link", { name: "Correct and resend" }).click();
  await expect(page.getByText("Correction of the cancelled batch")).toBeVisible();
  await expect(page.getByLabel("Contract", { exact: true }).getByRole("option")).toHaveCount(1);
  await expect(page.getByLabel("Batch ID")).toHaveValue(`${id}-2`);
  const option = page.getByRole("option", { name: "New payout", exact: true });
  await openSearch(page);
  // Playwright refuses a question that nobody answers.
  await option.click();
  page.once("dialog", (dialog) => dialog.accept());
  await option.click();
  await expect(page).toHaveURL(/\/batches\/new$/);
  // Until the page is gone, it asks again.
  await expect(page.getByText("Correction of the cancelled batch")).toBeHidden();
  await page.goBack();
  await expect(page.getByLabel("Batch ID")).toHaveValue(`${id}-2`);
  await expect(page.getByText(/references?, which the contract pays once/)).toBeVisible();
  // The same content is the correction, and still has to be confirmed.
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("which it corrects")).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Paste" }).click();
  const rows = [`${walletOf(1)},1.5`, `${walletOf(2)},20.25`, `0x${"b".repeat(39)}1,4`];
  await page.getByLabel("Rows: an address and an amount on each line").fill(rows.join("\n"));
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Correction of the cancelled batch")).toBeVisible();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  const links = page.getByRole("region", { name: "Related batches" });
  await expect(links).toContainText(`Corrects ${id}`);
  await links.getByRole("link", { name: id, exact: true }).click();
  await expect(links).toContainText(`Corrected by ${id}-2`);
  await links.getByRole("link", { name: `${id}-2` }).click();
  await expect(links).toContainText(`Corrects ${id}`);
  await expectNoViolation(page);

  // It is pending, so it cannot be corrected.
  await page.goto(`/batches/new?corrects=${CONTRACT}/${id}-2`);
  await expect(
    page.getByText(`The batch ${id}-2 is PENDING. Only a cancelled batch can be corrected.`),
  ).toBeVisible();
});

test("a finalized batch is taken back row by row", async ({ browser, page, request }) => {
  test.slow();
  const address = newAddress();
  const contract = { address, token: createContract(address, "Taken back") };
  const id = `${newPrefix("reversal")}1`;
  const path = `/batches/${address}/${id}`;
  await submit(request, { id, payoutId: "partly", seconds: 1, transfers: 2, contract });
  await signIn(page, ADMIN, path);
  await expect(page.getByText("Finalized, recipients credited")).toBeVisible();
  const viewer = await openAs(browser, VIEWER, path);
  await expect(viewer.getByRole("region", { name: "Transfers" }).getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Take back…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Take back this batch?", exact: true });
  const rows = dialog.getByRole("checkbox");
  await expect(rows).toHaveCount(2);
  await expectNoViolation(page);
  const sum = dialog.getByRole("status");
  await expect(sum).toHaveText("0 of 2 transfers, 0 Points");
  await dialog.getByRole("button", { name: "Select all 2", exact: true }).click();
  const search = dialog.getByLabel("Search transfers by address, label or reference");
  await search.fill((await rows.nth(1).locator("..").getByText(/^0x/).textContent())!);
  await search.press("Enter");
  await dialog.getByRole("button", { name: "Select only found", exact: true }).click();
  await expect(sum).toHaveText("1 of 2 transfers, 2.5 Points · 1 found");
  await search.press("Escape");
  await expect(sum).toHaveText("1 of 2 transfers, 2.5 Points");
  await dialog.getByLabel("Time unit", { exact: true }).selectOption("seconds");
  await dialog.getByLabel("Finalize after", { exact: true }).fill("1");
  await expect(dialog).toContainText("from their recipients in 1 s and returns");
  const one = dialog.getByRole("button", { name: "Take back 2.5 Points from 1 recipient", exact: true });
  await one.click();
  await expect(dialog.getByText("Enter a reason of at least 3 characters.")).toBeVisible();
  await dialog.getByLabel("Reason", { exact: true }).fill("Paid twice");
  await one.click();
  await expect(page.getByText(/^Reversal reversal-.* submitted$/)).toBeVisible();
  const note = page.getByRole("region", { name: "Related batches" });
  const timeline = page.getByRole("region", { name: "Timeline" });
  await timeline.getByRole("link", { name: /^reversal-/ }).click();

  await expect(note.getByRole("link", { name: id, exact: true })).toBeVisible();
  await expect(page.getByText("“Paid twice”", { exact: true })).toBeVisible();
  await expect(page.getByText("Finalized, points taken back", { exact: true })).toBeVisible();
  await expect(page.getByText("Points taken back from 1 recipient for Taken back")).toBeVisible();

  await note.getByRole("link", { name: id, exact: true }).click();
  await expect(timeline).toContainText(/Take back of 1 of 2 transfers, 2.5 Points.*Taken back by.*“Paid/);
  await expect(page.getByText("Partly taken back", { exact: true })).toBeVisible();
  await expect(page.getByText("2.5 of 4 taken back")).toBeVisible();
  const marks = (at: Page) => at.getByRole("cell", { name: "Taken back", exact: true });
  await expect(marks(page)).toHaveCount(1);
  // Who had the page open sees it on returning to it.
  await viewer.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await expect(marks(viewer)).toHaveCount(1);
  await page.getByRole("button", { name: "Take back…", exact: true }).click();
  await expect(dialog.getByText(/^Taken back by reversal-/)).toBeVisible();
  await expect(rows.nth(1)).toBeDisabled();
  await rows.nth(0).check();

  // The other transfer is in a reversal that is still pending.
  await dialog.getByLabel("Time unit", { exact: true }).selectOption("hours");
  await dialog.getByLabel("Finalize after", { exact: true }).fill("1");
  await dialog.getByLabel("Reason", { exact: true }).fill("The rest too");
  await dialog.getByRole("button", { name: "Take back 1.5 Points from 1 recipient" }).click();
  await expect(timeline).toContainText(/To be taken back by reversal-.*Pending.*due \d{4}-/);
  // Nothing is left to take back, so the button is gone.
  await expect(page.locator("div:focus").filter({ has: timeline })).toBeVisible();
  await page.goto(`/batches?contract=${address}&reversals=true`);
  const totals = page.getByRole("region", { name: "Totals", exact: true });
  await expect(totals).toHaveText(/1.5 Points to be taken back in 1 .*2.5 Points taken back in/);
  await page.getByRole("button", { name: "Batches of partly" }).click();
  await expect(page.getByRole("row").filter({ hasText: "−1.5" })).toContainText("Pending");

  await page.goto(`/batches?contract=${address}&id=${id}`);
  await expect(page.getByRole("row", { name: id })).toContainText("· taken back 2.5");
  await page.goto(`/payouts/${address}/partly`);
  const back = page.getByRole("region", { name: "Batches of this payout" });
  await expect(back.getByRole("row").filter({ hasText: id })).toContainText("(2.5 of 4)");
  await expect(page.getByText("1.5 of 4", { exact: true })).toBeVisible();
});
