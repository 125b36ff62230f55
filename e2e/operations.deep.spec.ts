import { expect, type Page } from "@playwright/test";
import { newPrefix, signIn, submit, test } from "./journey";
import { ADMIN } from "./people";

/** Of the runs listed in the browser's page that finished since. */
async function mostTransfersInARun(page: Page, since: number): Promise<number> {
  const rows = page.getByRole("region", { name: "Recent runs, table" }).locator("tbody tr");
  const runs = await rows.evaluateAll((all) =>
    all.map((row) => ({
      finishedAt: Date.parse(row.querySelector("time")?.dateTime ?? ""),
      transfers: Number(row.querySelectorAll("td")[3]?.textContent?.replace(/\D/g, "")),
    })),
  );
  return Math.max(0, ...runs.filter((run) => run.finishedAt >= since).map((run) => run.transfers));
}

test("an admin sees that all is well, runs the finalizer and the self-check", async ({ page, request }) => {
  test.slow();
  await submit(request, { id: `${newPrefix("load")}1`, seconds: 7200, transfers: 41 });
  await signIn(page, ADMIN);
  await page.getByRole("link", { name: "Operations", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Operations" })).toBeVisible();
  await expect(page.locator("dl > div", { hasText: "Finalizer last ran" })).toContainText(/\d s ago/);

  const load = page.getByRole("region", { name: "Due next", exact: true });
  await expect(load.getByText("Batches on hold or awaiting approval are not included.")).toBeVisible();
  await page.getByLabel("Show as tables").check();
  await expect(load.getByRole("region", { name: /^Transfers due.*table$/ }).getByRole("row")).toHaveCount(26);
  const submittedAt = Date.now();
  await submit(request, { id: `${newPrefix("live")}1`, seconds: 1, transfers: 37 });
  // The run may finalize batches of other journeys too.
  await expect
    .poll(() => mostTransfersInARun(page, submittedAt), { timeout: 30_000 })
    .toBeGreaterThanOrEqual(37);
  // Refreshing the page keeps tables open.
  const table = page.getByRole("region", { name: /^Time from due to finalized.*table$/ });
  await expect(table.getByRole("row")).toHaveCount(61);
  await expect(table.getByRole("row").last()).toContainText(/\d/);

  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText(/^Finalized \d+ batch(es)? \(.*left\.$/)).toBeVisible();
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("Check finished: the ledger balances.")).toBeVisible();
  const check = page.getByRole("region", { name: "Ledger self-check" });
  await expect(check.getByText(ADMIN.email)).toBeVisible();
});
