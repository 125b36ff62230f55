import { expect, type Page } from "@playwright/test";
import { batchPath, newPrefix, signIn, submit, test, walletOf } from "./journey";
import { ADMIN, CONTRACT } from "./people";

const TRANSFERS = 150;
/** Fewer fit on a landscape page, whatever the printer. */
const ROWS_PER_PAGE_MAX = 40;

/** Pages of the document that the browser would print. */
async function printedPages(page: Page): Promise<number> {
  const file = await page.pdf({ preferCSSPageSize: true, format: "A4" });
  return file.toString("latin1").match(/\/Type ?\/Page\b/g)?.length ?? 0;
}

async function expectNoChrome(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "dark";
  });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("banner")).toHaveCount(0);
  // The headings of sortable columns are buttons too.
  await expect(page.locator("button:visible:not(th button)")).toHaveCount(0);
  const { overflow, ground } = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ground: getComputedStyle(document.documentElement).getPropertyValue("--color-surface"),
  }));
  expect(overflow, "nothing is cut off at the right").toBeLessThanOrEqual(0);
  expect(ground.trim(), "paper is white").toMatch(/^#fff(?:fff)?$/);
}

test.describe("printing", () => {
  test.use({ viewport: { width: 1032, height: 704 } });

  test("a batch page has every transfer, with whole addresses, and no controls", async ({
    page,
    request,
  }) => {
    const id = `${newPrefix("print")}1`;
    await submit(request, { id, transfers: TRANSFERS });
    await signIn(page, ADMIN, batchPath(id));
    const rows = page.getByRole("region", { name: "Batch transfers" }).locator("tbody tr:not([aria-hidden])");
    await expect(rows.first()).toBeVisible();
    expect(await rows.count()).toBeLessThan(TRANSFERS);
    expect(await printedPages(page)).toBeGreaterThan(TRANSFERS / ROWS_PER_PAGE_MAX);
    await expectNoChrome(page);
    await expect(rows).toHaveCount(TRANSFERS);
    await expect(
      rows
        .last()
        .getByText(new RegExp(walletOf(TRANSFERS), "i"))
        .first(),
    ).toBeVisible();
    await page.emulateMedia({ media: "screen" });
    await expect.poll(() => rows.count()).toBeLessThan(TRANSFERS);
  });

  test("a contract, a recipient, the batch list and Operations print whole, and without controls", async ({
    page,
    request,
  }) => {
    const prefix = newPrefix("paper");
    for (const number of [1, 2]) await submit(request, { id: `${prefix}${number}` });
    await signIn(page, ADMIN);
    const screens = [
      [`/contracts/${CONTRACT}`, "Access tokens"],
      [`/recipients/${walletOf(1)}`, "Transfers"],
      [`/batches?id=${prefix}`, "Batches"],
      ["/operations", "Operations"],
    ] as const;
    for (const [path, heading] of screens) {
      await page.emulateMedia({ media: "screen" });
      await page.goto(path);
      await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
      await expectNoChrome(page);
      const isCut = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("body, main, section[tabindex]")].some(
          (each) =>
            each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY !== "visible",
        ),
      );
      expect(isCut, `${path} scrolls instead of continuing on the next page`).toBe(false);
    }
  });
});
