import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  batchPath,
  listedIds,
  newAddress,
  newPrefix,
  openSearch,
  signIn,
  submit,
  test,
  untilFinalized,
  walletOf,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";
import { createContract } from "./setup";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search" });
const input = (page: Page) => dialog(page).getByRole("combobox", { name: "Search" });
const results = (page: Page) => dialog(page).getByRole("option");

/** Ignores case: the search returns checksummed addresses. */
const at = (path: string) => new RegExp(`${path}$`, "i");

test.use({ reducedMotion: "reduce" });

test("a batch is found by its ID or URL", async ({ page, request }) => {
  test.slow();
  const prefix = newPrefix("find");
  await Promise.all(
    ["1", "10", "2", "3", "4", "5", "6", "7", "8"].map((end) => submit(request, { id: prefix + end })),
  );
  await signIn(page, ADMIN);
  await openSearch(page);
  for (const [word, title] of [
    ["upload", "New payout"],
    ["new batch", "New payout"],
    ["claims", "Choose a snapshot to allocate from"],
    ["take back", "Choose what to take back"],
    ["report", "Statements of all contracts"],
    ["snapshots", "Snapshots"],
  ] as const) {
    await input(page).fill(word);
    await expect(results(page).first()).toHaveText(title);
  }
  await expectNoViolation(page);
  await input(page).fill(`${prefix}1`);
  await expect(results(page)).toHaveCount(2);
  await expect(results(page).first()).toContainText(`${prefix}1Journeys · Pending`);
  await expect(results(page).first()).toHaveAttribute("aria-selected", "true");
  await expect(dialog(page).getByRole("status")).toHaveText("2 results");
  // Enter opens it even before the results have arrived.
  await input(page).fill(`  ${prefix}2\n`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at(batchPath(`${prefix}2`)));
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("heading", { name: `${prefix}2` })).toBeVisible();

  await openSearch(page);
  await input(page).fill(`https://points.example.com${batchPath(`${prefix}10`)}?from=mail`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at(batchPath(`${prefix}10`)));
  await expect(dialog(page)).toBeHidden();
  await openSearch(page);
  await input(page).fill(prefix);
  await expect(results(page)).toHaveCount(9);
  await results(page).getByText(`View all batches that start with ${prefix}`).click();
  await expect(page).toHaveURL(`/batches?id=${prefix}`);
  await expect.poll(async () => (await listedIds(page)).length).toBe(9);
});

test("contracts and recipients are found with arrow keys and Enter", async ({ page, request }) => {
  const id = `${newPrefix("find")}1`;
  await submit(request, { id, seconds: 1 });
  await untilFinalized(request, id);
  await signIn(page, ADMIN);
  await openSearch(page);
  await input(page).fill(CONTRACT);
  await expect(results(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/contracts/${CONTRACT}$`, "i"));
  await page.goto("/batches");
  await openSearch(page);
  await input(page).fill(walletOf(1).slice(0, 41));
  await expect(results(page).nth(1)).toBeVisible();
  await page.keyboard.press("ArrowDown");
  const second = await results(page).nth(1).textContent();
  await expect(results(page).nth(1)).toHaveAttribute("aria-selected", "true");
  const active = await input(page).getAttribute("aria-activedescendant");
  await expect(results(page).nth(1)).toHaveAttribute("id", active!);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/recipients/${second!.trim()}$`));
});

test("a refused request is found by its ID and by the link in its error, with what was wrong in it", async ({
  page,
  request,
}) => {
  const address = newAddress();
  const headers = { Authorization: `Bearer ${createContract(address, "Refused")}` };
  const sent = (points: string) => ({
    headers,
    data: { pointType: "PHASE2_POINTS", transfers: [{ toAddress: walletOf(1), points }] },
  });
  const url = `/v1/contracts/${address}/batches`;
  const { requestId, instance } = await (await request.post(url, sent("0"))).json();
  await request.post(url, sent("wrong"));
  await signIn(page, VIEWER);
  await openSearch(page);
  await expect(async () => {
    await input(page).fill("");
    await input(page).fill(requestId);
    await expect(results(page).filter({ hasText: "Refused" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await results(page).filter({ hasText: "Refused" }).click();
  const table = page.getByRole("region", { name: "Requests table" });
  await expect(table.getByRole("row")).toHaveCount(2);
  await table.getByText("400 validation_failed").click();
  await expect(table.getByText("must be at least 0.01 PHASE2_POINTS")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(table.getByRole("row")).toHaveCount(3);
  await page.goto(instance);
  await expect(page).toHaveURL(new RegExp(`${address}/requests\\?request=${requestId}$`, "i"));
  await expect(table.getByRole("row")).toHaveCount(2);
  await page.goto("/requests/unknown");
  await expect(page.getByRole("heading", { name: "Request not found" })).toBeVisible();
});

test("the open batch's actions and a shortened address are found", async ({ page, request }) => {
  const id = `${newPrefix("find")}open`;
  const wallet = newAddress();
  await submit(request, { id, rows: [[wallet, "2"]] });
  await signIn(page, ADMIN, batchPath(id));
  await openSearch(page);
  await input(page).fill("hold");
  await results(page).getByText("Put on hold…").click();
  const holding = page.getByRole("dialog", { name: "Put this batch on hold?" });
  await expect(holding.getByLabel("Reason")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(holding).toBeHidden();

  await openSearch(page);
  // Recipients are indexed a moment after the submit.
  await expect(async () => {
    await input(page).fill("");
    await input(page).fill(`${wallet.slice(0, 6)}…${wallet.slice(-6)}`);
    await results(page).getByText("View pending batches that pay").click({ timeout: 2_000 });
  }).toPass();
  await expect.poll(() => listedIds(page)).toEqual([id]);
  // Elsewhere no batch is open.
  await openSearch(page);
  await input(page).fill("hold");
  await expect(results(page).getByText("Put on hold…")).toHaveCount(0);
});
