import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  auth,
  chooseFile,
  confirmFindings,
  csvFile,
  download,
  expectFits,
  newPrefix,
  openAs,
  openNewBatch,
  openSearch,
  reviewRows,
  test,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

const ROWS = 5000;
const fileOf = (name: string, start: number) =>
  csvFile(
    name,
    Array.from(
      { length: ROWS },
      (_, at) => `0x2${(start + at).toString(16).padStart(39, "0")},${(at % 9) + 1}`,
    ),
  );
const pathOf = (id: string) => `/payouts/${CONTRACT}/${id}`;
const step = (page: Page, text: string | RegExp) =>
  page.getByRole("list", { name: "Progress" }).getByRole("listitem").filter({ hasText: text });

test("from a file to the page that says when 5,000 people are paid takes at most four clicks", async ({
  page,
}) => {
  test.slow();
  const id = newPrefix("clicks").slice(0, -1);
  await openNewBatch(page);
  await page.getByLabel("Finalize after").fill("2");
  await chooseFile(page, fileOf("clicks.csv", 1));
  await expect(page.getByText("5,000 rows are valid")).toBeVisible();
  await page.getByLabel("Payout ID").fill(id);
  await page.evaluate(() => {
    const count = () =>
      sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks")) + 1));
    addEventListener("click", (event) => event.isTrusted && count(), { capture: true });
  });
  await page.getByRole("button", { name: "Review" }).click();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 3 batches" }).click();
  await expect(page).toHaveURL(new RegExp(`/payouts/0x[0-9a-fA-F]{40}/${id}$`));
  await expect(page.getByText("5,000 transfers from")).toBeVisible();
  await expect(step(page, "Submitted 3 of 3")).toBeVisible();
  await expect(step(page, `by ${ADMIN.email}`).first()).toBeVisible();
  await expect(step(page, /Due\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}in 1 h \d+ min/)).toBeVisible();
  expect(Number(await page.evaluate(() => sessionStorage.getItem("clicks")))).toBeLessThanOrEqual(4);

  await test.step("it is one row of the list, which unfolds and selects its batches by key", async () => {
    await page.goto(`/batches?id=${id}`);
    const row = page.getByRole("link", { name: "clicks.csv" });
    await expect(page.getByRole("row").filter({ hasText: "clicks.csv" })).toContainText("5,000");
    await expect(page.getByRole("link", { name: `${id}.001` })).toHaveCount(0);
    await row.focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("link", { name: `${id}.001` })).toBeVisible();
    await expect(row).toBeFocused();
    await expectNoViolation(page, ["light", "dark"]);
    await page.keyboard.press("x");
    await expect(page.getByRole("region", { name: "Selection" })).toContainText("3 selected");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("x");
    await expect(page.getByRole("region", { name: "Selection" })).toContainText("2 selected");
    await expect(page.getByRole("checkbox", { name: "Select clicks.csv" })).toHaveJSProperty(
      "indeterminate",
      true,
    );
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: "Batch" });
    await expect(sheet.getByRole("region", { name: "Payout" })).toContainText(
      "Batch 3 of 3 of the payout clicks.csv",
    );
    await sheet.getByRole("link", { name: "clicks.csv" }).click();
    await expect(page).toHaveURL(new RegExp(`/payouts/0x[0-9a-fA-F]{40}/${id}$`));
  });

  await test.step("all of it is put on hold, and released", async () => {
    for (const [button, confirm, state] of [
      ["Put on hold…", "Put 3 batches on hold", "3 batches on hold"],
      ["Release…", "Release 3 batches", "Released"],
    ] as const) {
      await page.getByRole("button", { name: button }).click();
      const dialog = page.getByRole("dialog", { name: /^(Put|Release) the payout .* \(3 batches\).*\?$/ });
      await dialog.getByLabel("Reason").fill("Finance looks at it");
      await dialog.getByRole("button", { name: confirm }).click();
      const result = page.getByRole("dialog", { name: confirm });
      await expect(result.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "3 of 3");
      await result.getByRole("button", { name: "Close" }).click();
      await expect(step(page, state)).toBeVisible();
    }
  });
});

test("5,000 rows: a cancelled part stops the release, the others are paid, and are taken back", async ({
  page,
  browser,
  request,
}) => {
  test.slow();
  const id = newPrefix("lost").slice(0, -1);
  await openNewBatch(page);
  await page.getByLabel("Time unit").selectOption("seconds");
  await page.getByLabel("Finalize after").fill("5");
  await chooseFile(page, fileOf("lost.csv", 100_000));
  await reviewRows(page, id);
  await confirmFindings(page);
  // Somebody cancels a part after all are stored, just before the release.
  await page.route("**/console.payouts.release*", async (route) => {
    await request.delete(`/v1/contracts/${CONTRACT}/batches/${id}.001`, auth());
    await route.continue();
  });
  await page.getByRole("button", { name: "Submit 3 batches" }).click();
  await expect(page).toHaveURL(new RegExp(`/payouts/0x[0-9a-fA-F]{40}/${id}$`));
  const next = page.getByRole("region", { name: "Next step" });
  await expect(next).toContainText("1 batch of this payout was cancelled. Release the others,");
  await expect(step(page, "2 batches on hold")).toBeVisible();
  await expect(page.getByText("Points paid · 9,993 not paid")).toBeVisible();
  await expectNoViolation(page, ["light", "dark"]);

  await (await openSearch(page)).fill("release");
  await page.getByRole("option", { name: "Release payout…" }).click();
  const dialog = page.getByRole("dialog", { name: "Release this payout?" });
  await expect(dialog).toContainText("2 batches with 14,997 Points. Each returns to its original schedule.");
  await dialog.getByRole("button", { name: "Release payout" }).click();
  await expect(page.getByText("14,997", { exact: true })).toBeVisible();
  await expect(page.getByText("Partly cancelled")).toBeVisible();
  const rows = page.getByRole("region", { name: "Batches of this payout" }).getByRole("row");
  await expect(rows.nth(1)).toContainText(new RegExp(`${id}.001.*Cancelled`));
  const report = await download(page, page.getByRole("link", { name: "Download report" }));
  const lines = report.trim().split("\r\n");
  expect(lines).toHaveLength(ROWS + 1);
  const finalized = lines.filter((line) => line.includes(",FINALIZED,"));
  expect(finalized).toHaveLength(3000);
  // Each row links to its receipt, and each batch's receipts are one file.
  expect(lines.filter((line) => line.includes("/r/"))).toEqual(finalized);
  const receipt = await (
    await request.get(finalized[0]!.split(",").find((cell) => cell.includes("/r/"))!)
  ).json();
  const ofPart = page.getByRole("link", { name: `Download receipts of ${id}.002` });
  const receipts = (await download(page, ofPart)).trim().split("\n");
  expect(receipts).toHaveLength(2000);
  expect(JSON.parse(receipts[0]!)).toEqual(receipt);
  await expect(page.getByRole("link", { name: "Download receipts of" })).toHaveCount(2);

  const viewer = await openAs(browser, VIEWER, pathOf(id));
  await expect(viewer.getByText("14,997", { exact: true })).toBeVisible();
  await expect(viewer.getByRole("main").getByRole("button", { name: /…$/ })).toHaveCount(0);
  await expect(viewer.getByRole("link", { name: "Correct and resend" })).toHaveCount(0);
  await viewer.context().close();

  await page.getByRole("button", { name: "Take back…" }).click();
  const takeBack = page.getByRole("dialog", {
    name: /^Take back the payout lost.csv, lost-.*, of .* \(2 batches\)/,
  });
  await expect(takeBack).toContainText(/Transfers3,000Amount14,997\sPoints/);
  await expect(takeBack).toContainText("1 batch cannot be taken back");
  await expect(takeBack.getByLabel("Finalize after")).toHaveValue("1");
  await takeBack.getByLabel("Time unit").selectOption("seconds");
  await expectNoViolation(page);
  await takeBack.getByRole("button", { name: "Take back 2 batches" }).click();
  await expect(takeBack).toContainText("Enter a reason");
  await takeBack.getByLabel("Reason").fill("The wrong month");
  await takeBack.getByRole("button", { name: "Take back 2 batches" }).click();
  const result = page.getByRole("dialog", { name: "Take back 2 batches" });
  await expect(result).toContainText("To be taken back: 2 batches");
  await expect(result).toContainText("Finished");
  await result.getByRole("button", { name: "Close" }).click();
  await expect(rows.filter({ hasText: /Cancelled|aken back by/ })).toHaveCount(3);
  await expect(page.getByText("Points paid · 14,997 taken back · 9,993 not paid")).toBeVisible();
  await expect(page.getByText("Taken back", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Take back…" })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectFits(page);
  await expectNoViolation(page);
  await page.setViewportSize({ width: 1024, height: 800 });
  await expectFits(page);

  await page.getByRole("link", { name: "Correct and resend" }).click();
  await expect(page.getByText("2,000 rows are valid")).toBeVisible();
});
