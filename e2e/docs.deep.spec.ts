import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { expectFits, newPrefix, submit, test } from "./journey";
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

const openReplies = (within: Locator) =>
  within.evaluate((element) => {
    for (const part of element.querySelectorAll("details")) part.open = true;
  });

const operation = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function tryList(page: Page, token: string): Promise<void> {
  const list = operation(page, LIST);
  const isOpen = await list.getByLabel("Access token").isVisible();
  if (!isOpen) await list.getByRole("button", { name: "Try it" }).click();
  await list.getByLabel("Access token").fill(token);
  await list.getByLabel("contractAddress (required)").fill(CONTRACT);
  await list.getByRole("button", { name: "Send" }).click();
}

test("an operation is found and called with a token, and shows the response", async ({ page, request }) => {
  const id = `${newPrefix("docs")}1`;
  await submit(request, { id });
  const hosts = otherHosts(page);
  await page.goto("/docs");
  await page.keyboard.press("/");
  await page.keyboard.type("createdBefore");
  const contents = page.getByRole("navigation", { name: "On this page" });
  await expect(contents.getByRole("link")).toHaveCount(1);
  await contents.getByRole("link", { name: LIST }).click();
  const list = operation(page, LIST);
  await expect(list.getByRole("heading", { name: LIST })).toBeInViewport();
  const token = process.env.E2E_TOKEN!;
  await tryList(page, token);
  await list.getByLabel("limit", { exact: true }).fill("200");
  await list.getByLabel("status").selectOption("PENDING");
  await list.getByRole("button", { name: "Send" }).click();
  const answer = list.getByRole("status");
  await expect(answer.getByText("200 OK")).toBeVisible();
  await expect(answer.getByRole("region", { name: "Response body" })).toContainText(id);
  await answer.getByText(/\d+ headers/).click();
  await expect(answer.getByText("x-request-id")).toBeVisible();
  await expect(list.getByText(`/v1/contracts/${CONTRACT}/batches?status=PENDING&limit=200'`)).toBeVisible();
  expect(await page.evaluate(() => document.body.textContent)).not.toContain(token);
  expect(hosts).toEqual([]);
});

test("a batch is submitted as a dry run, from the given example", async ({ page, request }) => {
  const id = `${newPrefix("dry")}1`;
  await page.goto("/docs");
  const put = operation(page, PUT);
  await put.getByRole("button", { name: "Try it" }).click();
  await put.getByLabel("Access token").fill(process.env.E2E_TOKEN!);
  await put.getByLabel("contractAddress (required)").fill(CONTRACT);
  await put.getByLabel("batchId (required)").fill(id);
  await put.getByLabel("dryRun", { exact: true }).selectOption("true");
  await put.getByRole("button", { name: "Send" }).click();
  await expect(put.getByRole("region", { name: "Response body" })).toContainText('"dryRun": true');
  const stored = await request.get(`/v1/contracts/${CONTRACT}/batches/${id}`, {
    headers: { Authorization: `Bearer ${process.env.E2E_TOKEN}` },
  });
  expect(stored.status()).toBe(404);
});

test("the error for an invalid token links to its explanation", async ({ page }) => {
  const hosts = otherHosts(page);
  await page.goto("/docs");
  await tryList(page, "ptb_wrong");
  const answer = operation(page, LIST).getByRole("status");
  await expect(answer.getByText("401 Unauthorized")).toBeVisible();
  await answer.getByRole("link", { name: "What invalid_token means" }).click();
  await expect(page).toHaveURL("/docs/errors#invalid_token");
  const explained = page.getByRole("article", { name: "invalid_token" });
  await expect(explained.getByText("What to do")).toBeInViewport();
  expect(hosts).toEqual([]);
});

test("the token is not stored, and cleared by a reload", async ({ page }) => {
  await page.goto("/docs");
  await tryList(page, process.env.E2E_TOKEN!);
  await expect(operation(page, LIST).getByRole("status").getByText("200 OK")).toBeVisible();
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(kept).not.toContain("ptb_");
  await page.reload();
  await operation(page, LIST).getByRole("button", { name: "Try it" }).click();
  await expect(operation(page, LIST).getByLabel("Access token")).toHaveValue("");
});

test("the type URL of a problem links to its highlighted explanation", async ({ page, request }) => {
  const reply = await request.get("/v1/no-such-path");
  const { type } = (await reply.json()) as { type: string };
  expect(type).toBe("/docs/errors#not_found");
  await page.goto(type);
  const marked = page.locator("article:target");
  await expect(marked).toHaveAttribute("id", "not_found");
  await expect(marked).toBeInViewport();
  const plain = page.getByRole("article", { name: "contract_not_found" });
  const borderOf = (part: typeof plain) => part.evaluate((element) => getComputedStyle(element).borderColor);
  expect(await borderOf(marked)).not.toBe(await borderOf(plain));
  await expect(page.getByRole("article", { name: "not_allowed", exact: true })).toHaveCount(0);
});

test("shows the limits of this host", async ({ page }) => {
  await page.goto("/docs");
  const least = page.getByRole("row", { name: "MINIMUM_FINALIZE_SECONDS" });
  await expect(least.getByRole("cell")).toHaveText("1 s");
  await expect(page.getByRole("row", { name: /^secondsToFinalize integer/ }).first()).toContainText(
    "1 to 86,400",
  );
  const text = await page.content();
  for (const secret of ["AUTH_SECRET", "CRON_SECRET", "DATABASE_URL", "ADMIN_PASSWORD", "correct horse"])
    expect(text.includes(secret), secret).toBe(false);
});

test.describe("in both themes", () => {
  test.use({ reducedMotion: "reduce" });

  test("the reference has no accessibility violations, with sections expanded", async ({ page }) => {
    // The page is long, and axe checks the contrast of every text.
    test.slow();
    await page.goto("/docs");
    await tryList(page, "ptb_wrong");
    await expect(operation(page, LIST).getByRole("status").getByText("401 Unauthorized")).toBeVisible();
    await openReplies(operation(page, PUT));
    await expectNoViolation(page);
  });

  test("the errors page has no accessibility violations, with an error highlighted", async ({ page }) => {
    test.slow();
    await page.goto("/docs/errors#insufficient_points");
    await expectNoViolation(page);
  });
});

test("the documentation and the console share the theme", async ({ page }) => {
  await page.goto("/docs");
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.goto("/sign-in");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("link", { name: "API reference" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("nothing is wider than the screen, and an operation is found and called", async ({ page }) => {
    test.slow();
    await page.goto("/docs");
    await page.getByRole("button", { name: "On this page" }).tap();
    await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: LIST }).tap();
    await expect(page.getByRole("heading", { name: LIST })).toBeInViewport();
    await tryList(page, process.env.E2E_TOKEN!);
    await expect(operation(page, LIST).getByRole("status").getByText("200 OK")).toBeVisible();
    await expectNoViolation(page);
    await openReplies(page.getByRole("main"));
    await expectFits(page);
    await page.goto("/docs/errors#batch_id_conflict");
    await expect(page.locator("article:target")).toBeInViewport();
    await expectFits(page);
    await expectNoViolation(page);
  });
});

test("the skip link leads past the navigation, by keyboard", async ({ page }) => {
  await page.goto("/docs/errors");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
