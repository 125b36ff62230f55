import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { auth, expectFits, newPrefix, openSearch, submit, test, untilHydrated } from "./journey";
import { BASE_URL, CONTRACT } from "./people";

const PUT = "Submit a batch under your own ID";
const LIST = "List the batches of a contract";

/** Collects requests to other hosts. */
function otherHosts(page: Page): string[] {
  const hosts: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== BASE_URL) hosts.push(request.url());
  });
  return hosts;
}

const operation = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function tryList(page: Page, token: string): Promise<void> {
  const list = operation(page, LIST);
  await list.getByRole("button", { name: "Try it" }).click();
  await list.getByLabel("Access token").fill(token);
  await list.getByLabel("contractAddress (required)").fill(CONTRACT);
  await list.getByRole("button", { name: "Send" }).click();
}

test.use({ reducedMotion: "reduce" });

test("an operation is found and called with a token that is not stored", async ({ page, request }) => {
  test.slow();
  const id = `${newPrefix("docs")}1`;
  await submit(request, { id });
  const hosts = otherHosts(page);
  await page.goto("/docs");
  const contents = page.getByRole("navigation", { name: "Reference" });
  await contents.getByRole("link", { name: LIST }).click();
  const list = operation(page, LIST);
  await expect(list.getByRole("heading", { name: LIST })).toBeInViewport();
  await untilHydrated(page);
  const token = process.env.E2E_TOKEN!;
  await tryList(page, token);
  await list.getByLabel("limit", { exact: true }).fill("200");
  await list.getByLabel("status").selectOption("PENDING");
  await list.getByRole("button", { name: "Send" }).click();
  const answer = list.getByRole("status");
  await expect(answer.getByText("200 OK")).toBeVisible();
  await expect(answer.getByRole("region", { name: "Response body" })).toContainText(id);
  await expect(list.getByText(`/v1/contracts/${CONTRACT}/batches?status=PENDING&limit=200'`)).toBeVisible();
  const kept = () =>
    page.evaluate(() =>
      JSON.stringify([
        document.body.textContent,
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
      ]),
    );
  expect(await kept()).not.toContain(token);

  const put = operation(page, PUT);
  await put.getByRole("button", { name: "Try it" }).click();
  await put.getByLabel("Access token").fill(token);
  await put.getByLabel("contractAddress (required)").fill(CONTRACT);
  await put.getByLabel("batchId (required)").fill(`${id}-dry`);
  await put.getByLabel("dryRun", { exact: true }).selectOption("true");
  await put.getByRole("button", { name: "Send" }).click();
  await expect(put.getByRole("region", { name: "Response body" })).toContainText('"dryRun": true');
  const stored = await request.get(`/v1/contracts/${CONTRACT}/batches/${id}-dry`, auth());
  expect(stored.status()).toBe(404);
  expect(hosts).toEqual([]);
});

test("an error links to its explanation, and limits are those of this host", async ({ page }) => {
  test.slow();
  await page.goto("/docs");
  const least = page.getByRole("row", { name: "MINIMUM_FINALIZE_SECONDS" });
  await expect(least).toContainText("1 s");
  await page.goto("/docs/reference/batches#batches-list");
  await tryList(page, "ptb_wrong");
  const answer = operation(page, LIST).getByRole("status");
  await expect(answer.getByText("401 Unauthorized")).toBeVisible();
  await expectNoViolation(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await answer.getByRole("link", { name: "What invalid_token means" }).click();
  await expect(page).toHaveURL("/docs/errors#invalid_token");
  const explained = page.getByRole("article", { name: "invalid_token" });
  await expect(explained.getByText("What to do")).toBeInViewport();

  await page.goto("/docs/errors");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

const shown = (page: Page, language: string) => page.locator(`[data-language=${language}]`).first();

test("the quick start keeps the language that was chosen, and shows it without scripts too", async ({
  page,
  browser,
}) => {
  await page.goto("/docs");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quick start");
  await expect(shown(page, "curl")).toBeVisible();
  await page.getByRole("radio", { name: "curl" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(shown(page, "ts")).toContainText(`${BASE_URL}/v1/contracts/`);
  await page.reload();
  await expect(page.getByRole("radio", { name: "TypeScript" })).toBeChecked();
  await expect(shown(page, "curl")).toBeHidden();

  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: BASE_URL });
  const still = await context.newPage();
  await still.goto("/docs");
  await still.getByText("Python", { exact: true }).first().click();
  await expect(shown(still, "py")).toBeVisible();
  await expect(shown(still, "curl")).toBeHidden();
  await context.close();
});

test("the search finds guides, operations and errors with the keyboard alone", async ({ page }) => {
  await page.goto("/docs/webhooks");
  const guides = page.getByRole("navigation", { name: "Guides" });
  await expect(guides.locator("[aria-current=page]")).toHaveText("Webhooks");
  await openSearch(page, "/");
  await page.keyboard.insertText("idempotency");
  const results = page.getByRole("listbox");
  for (const name of ["Guides", "Reference", "Errors"])
    await expect(results.getByRole("group", { name })).toBeVisible();
  await expectNoViolation(page, ["light", "dark"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/retries#what-is-safe-to-repeat$/);
  await expect(page.getByRole("heading", { name: "What is safe to repeat?" })).toBeInViewport();
});
