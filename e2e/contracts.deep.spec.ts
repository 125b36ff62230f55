import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { expectFits, newAddress, signIn, statusOf, test } from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

interface Registered {
  address: string;
  label: string;
}

async function register(page: Page, issuance: "On demand" | "Prefunded"): Promise<Registered> {
  const address = newAddress();
  const label = `Quest ${address.slice(2, 8)}`;
  await page.goto("/contracts");
  await page.getByRole("button", { name: "Register contract" }).click();
  const dialog = page.getByRole("dialog", { name: "Register a contract" });
  await dialog.getByLabel("Label").fill(label);
  await dialog.getByLabel("Address", { exact: true }).fill(address);
  await dialog.getByRole("radio", { name: issuance }).check();
  await dialog.getByRole("button", { name: "Register contract" }).click();
  await expect(page.getByRole("heading", { name: label })).toBeVisible();
  return { address, label };
}

/** Sends the same request as the curl command. */
async function run(request: APIRequestContext, command: string) {
  const [, url = ""] = /curl '([^']+)'/.exec(command) ?? [];
  const [, authorization = ""] = /Authorization: ([^']+)'/.exec(command) ?? [];
  return request.get(url, { headers: { Authorization: authorization } });
}

test("a contract is registered and found by its label; its token is shown once, works and is revoked", async ({
  page,
  request,
}) => {
  test.slow();
  await signIn(page, ADMIN, "/contracts");
  const { address, label } = await register(page, "On demand");

  await page.getByRole("button", { name: "Create token" }).click();
  const asked = page.getByRole("dialog", { name: "Create an access token" });
  await asked.getByRole("button", { name: "Create token" }).click();
  await expect(asked.getByText("Must have 1 to 80 characters.")).toBeVisible();
  await asked.getByLabel("Name").fill("quest bot");
  await asked.getByRole("button", { name: "Create token" }).click();
  const shown = page.getByRole("dialog", { name: "Token quest bot created" });
  await expect(shown).toBeVisible();
  await page.keyboard.press("Escape");
  const command = (await shown.getByText(/^curl /).textContent()) ?? "";
  const token = /ptb_[0-9A-Za-z]{36}/.exec(command)![0];
  await expect(shown.getByText(token, { exact: true })).toBeVisible();
  const answer = await run(request, command);
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({ success: true });
  await shown.getByRole("button", { name: "Copy token" }).click();
  await expect(shown.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(token)).toHaveCount(0);

  const tokens = page.getByRole("region", { name: "Access tokens", exact: true });
  await expect(tokens.getByRole("row", { name: "quest bot" })).toContainText(`staff:${ADMIN.email}`);

  await page.getByRole("button", { name: "Create token" }).click();
  await asked.getByLabel("Name").fill("quest bot");
  await asked.getByRole("button", { name: "Create token" }).click();
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(tokens.getByRole("row", { name: "quest bot" })).toHaveCount(2);
  // Only the first one was used.
  await expect(tokens.getByRole("row", { name: "quest bot" }).filter({ hasText: "Active" })).toHaveCount(1);
  await tokens.getByRole("button", { name: `Revoke quest bot, ending in ${token.slice(-4)}` }).click();
  const revoking = page.getByRole("dialog", { name: "Revoke this token?" });
  await expect(revoking.getByText(token.slice(-4))).toBeVisible();
  await revoking.getByRole("button", { name: "Revoke token" }).click();
  await expect(tokens.getByRole("row", { name: "quest bot" }).filter({ hasText: "Revoked" })).toContainText(
    token.slice(-4),
  );
  await expect(tokens.getByRole("row", { name: "quest bot" }).filter({ hasText: "Never used" })).toHaveCount(
    1,
  );
  await expect(tokens.getByRole("heading", { name: "Access tokens" })).toBeFocused();
  expect((await run(request, command)).status()).toBe(401);

  await page.goto("/contracts");
  await page.getByLabel("Search contracts by label or address").fill(label.toLowerCase());
  await expect(page).toHaveURL(/q=quest/);
  await expect(page.getByRole("region", { name: "Contracts" }).getByRole("row")).toHaveCount(2);
  await page.getByLabel("Search contracts by label or address").fill(address.slice(0, 12).toUpperCase());
  await expect(page).toHaveURL(/q=0X/);
  await page.getByRole("link", { name: label }).click();
  await expect(page.getByRole("heading", { name: label })).toBeVisible();
});

test("a prefunded contract is granted points and renamed, and its issuance and operator are changed", async ({
  page,
}) => {
  await signIn(page, ADMIN, "/contracts");
  const { address } = await register(page, "Prefunded");
  await page.getByRole("button", { name: "Grant points" }).click();
  const dialog = page.getByRole("dialog", { name: "Grant points" });
  await dialog.getByLabel("Amount").fill("0");
  await dialog.getByRole("button", { name: "Grant points" }).click();
  await expect(dialog.getByText("Must be more than 0.")).toBeVisible();
  await dialog.getByRole("radio", { name: "Gold" }).check();
  await dialog.getByLabel("Amount").fill("1234567890123456789.000000000001");
  await dialog.getByRole("button", { name: "Grant points" }).click();
  await expect(dialog).toBeHidden();
  const gold = page.getByRole("region", { name: "Gold balances" });
  await expect(gold.getByText("1,234,567,890,123,456,789.000000000001").first()).toBeVisible();
  const grants = page.getByRole("region", { name: "Issuances and grants", exact: true });
  await expect(grants.getByText(`Granted by staff:${ADMIN.email}`)).toBeVisible();

  await page.getByRole("button", { name: "Rename contract" }).click();
  await page.getByLabel("Label").fill("Harbour");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("heading", { name: "Harbour" })).toBeVisible();

  await page.getByRole("button", { name: "Change issuance" }).click();
  await page.getByRole("radio", { name: "On demand" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Change issuance" }).click();
  await expect(page.getByRole("button", { name: "Grant points" })).toHaveCount(0);

  await page.getByRole("button", { name: "Change operator" }).click();
  await page.getByLabel("Operator address").fill(`${address.slice(0, -1)}`);
  await page.getByRole("dialog").getByRole("button", { name: "Change operator" }).click();
  await expect(page.getByText("Must be 0x followed by 40 hex digits.")).toBeVisible();
  await page.getByLabel("Operator address").fill(newAddress());
  await page.getByRole("dialog").getByRole("button", { name: "Change operator" }).click();
  await expect(page.getByRole("button", { name: "Copy operator address" })).toBeVisible();
});

test("a link at the top of a contract scrolls to the tokens, and the header stays in place", async ({
  page,
}) => {
  await signIn(page, ADMIN, `/contracts/${CONTRACT}`);
  await page.getByRole("link", { name: "Access tokens" }).click();
  await expect(page.getByRole("heading", { name: "Access tokens" })).toBeInViewport();
  await expect(page.getByRole("banner")).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.scrollingElement!.scrollTop)).toBe(0);
});

test("a viewer sees a contract, has no buttons to change it, and is refused by the server", async ({
  page,
}) => {
  await signIn(page, VIEWER, `/contracts?q=${CONTRACT}`);
  // The whole row is a link.
  await page.getByRole("row", { name: "Journeys" }).getByRole("cell").last().click({ force: true });
  await expect(page.getByRole("heading", { name: "Journeys" })).toBeVisible();
  await expect(page.getByText("Only admins can create and revoke them")).toBeVisible();
  for (const name of ["Rename", "Change issuance", "Change operator", "Create token", "Grant points"])
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  const send = (procedure: string, input: object) =>
    statusOf(page, `contracts.${procedure}`, { contractAddress: CONTRACT, ...input });
  expect(await send("rename", { label: "Mine" })).toBe(403);
  expect(await send("grant", { pointType: "PHASE2_GOLD", points: "1" })).toBe(403);
  expect(await send("setIssuance", { issuance: "PREFUNDED" })).toBe(403);
  expect(await send("setOperator", { operatorAddress: null })).toBe(403);
  expect(await send("createToken", { name: "x", scopes: ["batches:read"], expiresInDays: null })).toBe(403);
});

test.describe("in both themes", () => {
  test.use({ reducedMotion: "reduce" });

  test("the list, a contract, its plots and dialogs have no accessibility violations", async ({ page }) => {
    await signIn(page, ADMIN, "/contracts");
    await expect(page.getByRole("region", { name: "Contracts" })).toBeVisible();
    await expectNoViolation(page);
    await page.goto("/contracts?q=nothing+like+it");
    await expect(page.getByText("No results")).toBeVisible();
    await expectNoViolation(page);
    await page.goto(`/contracts/${CONTRACT}?days=7`);
    await page.getByText("Show as table").first().click();
    await expectNoViolation(page);
    for (const name of ["Change issuance", "Change operator", "Create token"]) {
      await page.getByRole("button", { name }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectNoViolation(page);
      await page.keyboard.press("Escape");
    }
    await page.goto(`/contracts/0x${"00".repeat(19)}01`);
    await expect(page.getByRole("heading", { name: "Contract not found" })).toBeVisible();
    await expectNoViolation(page);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 800 } });

  test("contracts are cards, and nothing is wider than the screen", async ({ page }) => {
    await signIn(page, ADMIN, "/contracts");
    const list = page.getByRole("region", { name: "Contracts" });
    await expect(list).toBeVisible();
    expect(await list.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
    await page.goto(`/contracts/${CONTRACT}`);
    await expect(page.getByRole("img", { name: "Points submitted per day" })).toBeVisible();
    await expectFits(page);
    await expectNoViolation(page);
  });
});
