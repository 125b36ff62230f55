import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  addFilter,
  chooseContract,
  confirmFindings,
  decide,
  newAddress,
  newPrefix,
  openNewBatch,
  reviewRows,
  submit,
  test,
  untilFinalized,
  walletOf,
} from "./journey";
import { ADMIN } from "./people";
import { createContract } from "./setup";

test("a batch of 80 times the usual asks for a check, and its repeat says why", async ({ page, request }) => {
  const address = newAddress();
  const label = `Steady ${address.slice(2, 10)}`;
  const contract = { address, token: createContract(address, label) };
  await submit(request, { id: "usual", seconds: 1, contract });
  await untilFinalized(request, "usual", contract);

  const fill = async (reference: string) => {
    await page.getByRole("button", { name: "Paste" }).click();
    // The usual batch was 7.5 points to wallets 1 to 3.
    const rows = `address,amount_usd\n${walletOf(1)},300\n${walletOf(2)},300\n`;
    await page.getByLabel(/^Rows: an address and an amount/).fill(rows);
    await reviewRows(page, reference);
  };
  await openNewBatch(page, label);
  await fill("eighty");
  const review = page.getByRole("region", { name: "Review" });
  await expect(review.getByRole("listitem").filter({ hasText: "The total is" })).toContainText(
    "Very unusual: The total is 600, 80 times the most that 95%",
  );
  await expect(review).toContainText("Compared with the contract's only finalized Points batch");
  const send = page.getByRole("button", { name: "Submit 1 batch" });
  await page.getByLabel("I have checked what is in doubt").check();
  await send.click();
  await expect(page.getByText("Confirm this first.")).toBeVisible();
  await expect(page.getByLabel("I have checked this")).toBeFocused();
  await expectNoViolation(page);
  await page.getByLabel("I have checked this").check();
  await send.click();
  await expect(review).toContainText("Very unusual: The total is 600, 80 times the most that 95%");
  await expect(page.getByTitle(/^The total is 600, 80 times the most that 95% /)).toHaveText("Very unusual");

  await test.step("the list marks it and finds it", async () => {
    await page.goto(`/batches?contract=${address}`);
    const row = page.getByRole("row").filter({ hasText: "eighty" });
    await expect(row.getByTitle(/^The total is 600, 80 times the most that 95% /)).toHaveText("Very unusual");
    await expect(page.getByRole("row").filter({ hasText: "usual" })).toHaveCount(2);
    await addFilter(page, "Unusual");
    await expect(page).toHaveURL(/review=unusual/);
    await expect(page.getByRole("row")).toHaveCount(2);
    await expectNoViolation(page);
  });

  await page.goto(`/batches/${address}/eighty.001`);
  await decide(page, "Cancel batch", "Cancel this batch?", "A zero too many");

  await page.goto("/batches/new");
  await chooseContract(page, label);
  await fill("again");
  const repeat = review.getByRole("listitem").filter({ hasText: "the same 2 transfers" });
  await expect(repeat).toContainText(`eighty.001, cancelled by ${ADMIN.email}: “A zero too many”`);
  await repeat.getByRole("link", { name: "eighty.001" }).click();
  await expect(page.getByText("“A zero too many”")).toBeVisible();
});

test("two tabs with the same rows under different IDs: the second stops at the submit and asks", async ({
  page,
  context,
}) => {
  const id = newPrefix("tabs");
  const rows = `${newAddress()},1\n${newAddress()},2\n`;
  const other = await context.newPage();
  for (const [tab, reference] of [
    [page, `${id}1`],
    [other, `${id}2`],
  ] as const) {
    await openNewBatch(tab);
    await tab.getByRole("button", { name: "Paste" }).click();
    await tab.getByLabel(/^Rows: an address and an amount/).fill(rows);
    await reviewRows(tab, reference);
    await confirmFindings(tab);
  }
  const send = (tab: Page) => tab.getByRole("button", { name: "Submit 1 batch" }).click();
  await send(page);
  await expect(page.getByRole("heading", { name: `${id}1` })).toBeVisible();

  await send(other);
  await expect(other.getByText("The review has changed")).toBeVisible();
  const repeat = other.getByRole("listitem").filter({ hasText: "the same 2 transfers" });
  await expect(repeat).toContainText(`Pays again: It has the same 2 transfers as ${id}1`);
  await send(other);
  await expect(other.getByText("Confirm this first.")).toBeVisible();
  await expect(other.getByLabel("Pay the same transfers a second time")).toBeFocused();
  await other.getByLabel("Pay the same transfers a second time").check();
  await send(other);
  await expect(other.getByRole("heading", { name: `${id}2` })).toBeVisible();
});
