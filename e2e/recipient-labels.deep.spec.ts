import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { batchPath, download, newAddress, newPrefix, openAs, pay, signIn, test } from "./journey";
import { ADMIN, VIEWER } from "./people";

/** Holds or cancels a batch on its page. */
async function decide(page: Page, id: string, button: string, confirm: string, reason: string) {
  await page.goto(batchPath(id));
  await page.getByRole("button", { name: button }).click();
  const question = page.getByRole("dialog");
  await question.getByLabel("Reason").fill(reason);
  await question.getByRole("button", { name: confirm, exact: true }).click();
  await expect(question).toBeHidden();
}

test("a recipient's page says why points are not there yet, and its filters, sums and CSV are one set", async ({
  page,
  request,
}) => {
  test.slow();
  const to = newAddress();
  const prefix = newPrefix("why");
  await pay(request, { id: `${prefix}held`, to, points: "10.5" });
  await pay(request, { id: `${prefix}gold`, to, points: "2", pointType: "PHASE2_GOLD" });
  await pay(request, { id: `${prefix}wrong`, to, points: "3" });
  await pay(request, { id: `${prefix}now`, to, points: "7", seconds: 1 });
  await signIn(page, ADMIN);
  await decide(page, `${prefix}held`, "Put on hold…", "Put on hold", "Amounts to be checked");
  await decide(page, `${prefix}wrong`, "Cancel batch…", "Cancel batch", "Wrong file");

  await page.goto(`/recipients/${to}`);
  const points = page.getByRole("region", { name: "Points totals" });
  await expect(points).toContainText("Nothing pending");
  await expect(points).toContainText("10.5 on hold in 1 transfer, not credited until staff release it");
  await expect(page.getByRole("region", { name: "Gold totals" })).toContainText("2 pending in 1 transfer");
  const row = (id: string) => page.getByRole("row", { name: `${prefix}${id}` });
  await expect(row("held")).toContainText(
    /On hold since \d{4}-\d\d-\d\d [\d:]+ by admin@example\.com: Amounts to be checked/,
  );
  await expect(row("gold")).toContainText(/Due in \d+ min/);
  await expect(row("wrong")).toContainText(/Cancelled \d{4}-[\d-]+ [\d:]+ by admin@example\.com: Wrong file/);
  await expect(row("now")).toContainText("Finalized");
  await expectNoViolation(page);

  const list = page.getByRole("region", { name: "Transfers to the address" });
  const filters = page.getByRole("search", { name: "Filters" });
  await filters.getByRole("button", { name: "Status" }).click();
  await page.getByRole("checkbox", { name: "On hold" }).check();
  await expect(page).toHaveURL(/status=HELD/);
  await expect(list.getByRole("row")).toHaveCount(2);
  await expect(page.getByLabel("Sums of the filtered transfers")).toHaveText(
    "Points10.5 on hold in 1 transfer",
  );
  await filters.getByRole("button", { name: "Clear Status" }).click();
  await filters.getByRole("button", { name: "Type" }).click();
  await page.getByRole("checkbox", { name: "Gold" }).click();
  await expect(list.getByRole("row")).toHaveCount(2);
  await expect(page.getByLabel("Sums of the filtered transfers")).toHaveText("Gold2 pending in 1 transfer");
  await expectNoViolation(page);

  const file = await download(page, page.getByRole("link", { name: "Download CSV" }));
  const [, ...lines] = file.trim().split("\r\n");
  expect(lines.map((line) => line.split(",")[5])).toEqual([`${prefix}gold`]);

  await page.goBack();
  await expect(page).toHaveURL(/status=HELD|recipients\/0x[0-9a-f]{40}$/i);
  await page.goto(`/recipients/${to}?status=FINALIZING`);
  await expect(page.getByText("No transfers match the filters")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await expect(list.getByRole("row")).toHaveCount(5);

  await page.goto(`/recipients/${to}?status=PENDNG&type=PHASE2_GOLD`);
  await expect(page.getByText("This link has an invalid filter")).toBeVisible();
  await expect(page.getByText("status=PENDNG")).toBeVisible();
  await expect(list).toHaveCount(0);
  await page.getByRole("button", { name: "Remove the filter" }).click();
  await expect(list.getByRole("row")).toHaveCount(2);
});

test("a label that an admin sets is shown next to the address everywhere, and is audited", async ({
  page,
  request,
  browser,
}) => {
  test.slow();
  const to = newAddress();
  const id = `${newPrefix("label")}1`;
  const label = `Treasury ${to.slice(2, 10)}`;
  await pay(request, { id, to, points: "5" });
  await signIn(page, ADMIN, `/recipients/${to}`);
  await page.getByRole("button", { name: "Add label…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add label" });
  await expectNoViolation(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Must have 1 to 80 characters.")).toBeVisible();
  await dialog.getByLabel("Label").fill(label);
  await dialog.getByRole("button", { name: "Save" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(label);
  await expect(heading).toContainText(new RegExp(to, "i"));
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText(`Recipients${label}`);
  await expect(page).toHaveTitle(new RegExp(`^(?:\\(\\S+\\) )?${label} · Recipient 0x`));

  await page.goto(batchPath(id));
  await expect(page).toHaveTitle(new RegExp(`^(?:\\(\\S+\\) )?${id} · Journeys`));
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText(`BatchesJourneys${id}`);
  const transfers = page.getByRole("region", { name: "Batch transfers" });
  await expect(transfers.getByRole("row").last()).toContainText(new RegExp(`${to}.*${label}`, "i"));
  await page.getByLabel("Search transfers by address or label").fill(label.toUpperCase());
  await expect(transfers.getByRole("row")).toHaveCount(2);

  await page.getByRole("banner").getByRole("button", { name: "Search" }).click();
  await page.getByRole("combobox", { name: "Search" }).fill(label.toLowerCase());
  const option = page.getByRole("option", { name: new RegExp(to, "i") });
  await expect(option).toContainText(label);
  await option.click();
  await expect(page).toHaveURL(new RegExp(`/recipients/${to}`, "i"));

  const other = await openAs(browser, VIEWER, `/recipients/${to}`);
  await expect(other.getByRole("heading", { level: 1 })).toContainText(label);
  await expect(other.getByRole("button", { name: /label/ })).toHaveCount(0);
  await other.context().close();

  await page.getByRole("button", { name: "Edit label…" }).click();
  await page.getByRole("dialog").getByLabel("Label").fill("");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(heading).not.toContainText(label);
  await page.goto("/access/audit");
  await expect(page.getByText(`removed the label “${label}” of the address`)).toBeVisible();
  await expect(page.getByText(`labelled the address “${label}”`)).toBeVisible();
});

test.describe("on a phone, in the dark", () => {
  test.use({ viewport: { width: 390, height: 800 }, colorScheme: "dark" });

  test("a page that is not found keeps the console around it, in the chosen theme", async ({ page }) => {
    await signIn(page, VIEWER);
    for (const [path, title] of [
      ["/no/such/page", "Page not found"],
      [batchPath("no-such-batch"), "Batch not found"],
      [`/contracts/${newAddress()}`, "Contract not found"],
    ] as const) {
      const reply = await page.goto(path);
      expect(reply?.status()).toBe(404);
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
      await expect(page.getByRole("button", { name: "Search" })).toBeVisible();
    }
    await expectNoViolation(page);
    await page.getByRole("link", { name: "View all contracts" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Contracts" })).toBeVisible();
  });
});
