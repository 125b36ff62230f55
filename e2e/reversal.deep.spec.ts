import { type Browser, expect } from "@playwright/test";
import { startBuiltApp } from "@/testing/built-app";
import { type BuiltApp, newContractToken } from "@/testing/launch-app";
import { expectNoViolation } from "./axe";
import { newAddress, newPrefix, pageOf, submit, test } from "./journey";
import type { Person } from "./people";

const OPERATOR: Person = { email: "operator@example.com", password: "correct horse battery" };
const VIEWER: Person = { email: "viewer@example.com", password: "correct horse battery" };

let app: BuiltApp;
test.beforeAll(async () => {
  app = await startBuiltApp({ environment: { MINIMUM_FINALIZE_SECONDS: "1" } });
  await app.ops(["user", "create", "--email", OPERATOR.email, "--role", "operator"], OPERATOR.password);
  await app.ops(["user", "create", "--email", VIEWER.email, "--role", "viewer"], VIEWER.password);
});
test.afterAll(() => app?.stop());

const signedIn = (browser: Browser, person: Person, path: string) => pageOf(browser, person, path, app.url);

test("a finalized batch is taken back row by row, and both batches link to each other", async ({
  browser,
}) => {
  test.slow();
  const address = newAddress();
  const contract = { address, token: await newContractToken(app, address) };
  const id = `${newPrefix("reversal")}1`;
  const path = `/batches/${address}/${id}`;
  const page = await signedIn(browser, OPERATOR, "/batches");
  await submit(page.context().request, { id, seconds: 1, transfers: 2, contract });

  await page.goto(path);
  await expect(page.getByText("Finalized, recipients credited")).toBeVisible();
  await page.getByRole("button", { name: "Take back…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Take back this batch?", exact: true });
  const rows = dialog.getByRole("checkbox");
  await expect(rows).toHaveCount(2);
  await expectNoViolation(page);
  const sum = dialog.getByRole("status");
  await expect(sum).toHaveText("2 of 2 transfers, 4 Points");
  await dialog.getByRole("button", { name: "Select none", exact: true }).click();
  await expect(sum).toHaveText("0 of 2 transfers, 0 Points");
  await dialog.getByRole("button", { name: "Take back", exact: true }).click();
  await expect(dialog.getByText("Select at least one transfer.", { exact: true })).toBeVisible();
  await rows.nth(1).check();
  await expect(sum).toHaveText("1 of 2 transfers, 2.5 Points");
  await expect(dialog.getByText("Select at least one transfer.", { exact: true })).toBeHidden();
  await dialog.getByLabel("Time unit", { exact: true }).selectOption("seconds");
  await dialog.getByLabel("Finalize after", { exact: true }).fill("90000");
  await dialog.getByRole("button", { name: "Take back", exact: true }).click();
  await expect(dialog.getByText("Enter at most 1 d.", { exact: true })).toBeVisible();
  await dialog.getByLabel("Finalize after", { exact: true }).fill("1");
  await dialog.getByLabel("Reason", { exact: true }).fill("Paid twice");
  await dialog.getByRole("button", { name: "Take back", exact: true }).click();
  const done = page.getByRole("dialog", { name: "Reversal submitted", exact: true });
  await done.getByRole("status").getByRole("link").click();

  const note = page.getByRole("region", { name: "Reversal", exact: true });
  await expect(note.getByRole("link", { name: id, exact: true })).toBeVisible();
  await expect(page.getByText("“Paid twice”", { exact: true })).toBeVisible();
  await expect(page.getByText("Finalized, points taken back", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Take back…", exact: true })).toHaveCount(0);
  await expectNoViolation(page);

  await note.getByRole("link", { name: id, exact: true }).click();
  await expect(note).toContainText("Taken back by");
  await page.getByRole("button", { name: "Take back…", exact: true }).click();
  await expect(dialog.getByText(/^Taken back by reversal-/)).toBeVisible();
  await expect(rows.nth(1)).toBeDisabled();
  await expect(rows.nth(0)).toBeChecked();

  // The other transfer is in a reversal that is still pending.
  await dialog.getByLabel("Time unit", { exact: true }).selectOption("hours");
  await dialog.getByLabel("Finalize after", { exact: true }).fill("1");
  await dialog.getByRole("button", { name: "Take back", exact: true }).click();
  await expect(done).toContainText(/To be taken back by reversal-.*Pending.*due \d{4}-/);
  await expect(done).toContainText(/The points are taken back in .* can be cancelled\./);
  await done.getByRole("button", { name: "Close", exact: true }).click();
  await expect(note).toContainText(/1.5 Points: To be taken back by reversal-/);
  await page.getByRole("button", { name: "Take back…", exact: true }).click();
  await expect(dialog.getByText(/^To be taken back by reversal-/)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.goto(`/batches?contract=${address}`);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Reversals" }).click();
  const totals = page.getByRole("region", { name: "Totals", exact: true });
  await expect(totals).toHaveText(/2.5 Points taken back in .*; 1.5 Points to be taken back in/);
  await expect(page.getByRole("row").filter({ hasText: "−1.5" })).toContainText("Pending");

  const viewer = await signedIn(browser, VIEWER, path);
  await expect(viewer.getByRole("region", { name: "Reversal", exact: true })).toContainText("Taken back by");
  await expect(viewer.getByRole("button", { name: "Take back…", exact: true })).toHaveCount(0);
});
