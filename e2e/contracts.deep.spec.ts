import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { download, newAddress, newPrefix, signIn, submit, test, untilFinalized } from "./journey";
import { ADMIN, BASE_URL, VIEWER } from "./people";
import { createContract } from "./setup";

test.use({ permissions: ["clipboard-read", "clipboard-write"], reducedMotion: "reduce" });

interface Registered {
  address: string;
  label: string;
}

async function register(page: Page, issuance: "On demand" | "Prefunded"): Promise<Registered> {
  const address = newAddress();
  const label = `Quest ${address.slice(2, 8)}`;
  await signIn(page, ADMIN, "/contracts");
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

test("a contract is registered and found; its token is shown once and revoked", async ({ page, request }) => {
  test.slow();
  const { address, label } = await register(page, "On demand");
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps).toContainText("2 of 5 done");
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Create token" }).click();
  const asked = page.getByRole("dialog", { name: "Create an access token" });
  await expect(asked.getByLabel("Name")).toBeFocused();
  await expectNoViolation(page);
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
  await expect(steps).toContainText("3 of 5 done");
  await expect(steps.getByText(`curl -X POST ${BASE_URL}/v1/contracts/`)).toContainText(
    new RegExp(`contracts/${address}/batches`, "i"),
  );
  await submit(request, { id: `${newPrefix("steps")}1`, contract: { address, token } });
  await expect(steps).toContainText("4 of 5 done");

  const tokens = page.getByRole("region", { name: "Access tokens", exact: true });
  await expect(tokens.getByRole("row", { name: "quest bot" })).toContainText(`staff:${ADMIN.email}`);

  await tokens.getByRole("button", { name: `Revoke quest bot, ending in ${token.slice(-4)}` }).click();
  const revoking = page.getByRole("dialog", { name: "Revoke this token?" });
  await expect(revoking.getByText(token.slice(-4))).toBeVisible();
  await revoking.getByRole("button", { name: "Revoke token" }).click();
  await expect(tokens.getByRole("row", { name: "quest bot" })).toContainText("Revoked");
  await expect(tokens.getByRole("heading", { name: "Access tokens" })).toBeFocused();
  expect((await run(request, command)).status()).toBe(401);

  await page.goto("/contracts");
  await page.getByLabel("Search contracts by label or address").fill(label.toLowerCase());
  await expect(page).toHaveURL(/q=quest/);
  const rows = page.getByRole("region", { name: "Contracts" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  // The whole row is a link.
  await rows.nth(1).getByRole("cell").last().click({ force: true });
  await expect(page.getByRole("heading", { name: label })).toBeVisible();
});

test("a prefunded contract is granted points, renamed and changed", async ({ page }) => {
  await register(page, "Prefunded");
  await page.getByRole("button", { name: "Grant points" }).click();
  const dialog = page.getByRole("dialog", { name: "Grant points" });
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
  await page.getByLabel("Operator address").fill(newAddress());
  await page.getByRole("dialog").getByRole("button", { name: "Change operator" }).click();
  await expect(page.getByRole("button", { name: "Copy operator address" })).toBeVisible();
});

const month = () => new Date().toISOString().slice(0, 7);
const nameOf = (of: string) =>
  new Date(`${of}-15`).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

const linesOf = async (page: Page, link: string) =>
  (await download(page, page.getByRole("link", { name: link, exact: true }))).trimEnd().split("\r\n");

test("a month's statement adds up on screen, in the file and in the API", async ({ page, request }) => {
  test.slow();
  const address = newAddress();
  const contract = { address, token: createContract(address, "=Finance") };
  const id = newPrefix("statement");
  const headers = { Authorization: `Bearer ${contract.token}` };
  const api = `/v1/contracts/${address}`;
  // 1.5 + 2.5 + 3.5, twice; then 1.5, which stays pending.
  await submit(request, { id: `${id}sent`, seconds: 1, contract });
  await submit(request, { id: `${id}cancelled`, contract });
  expect((await request.delete(`${api}/batches/${id}cancelled`, { headers })).status()).toBe(200);
  await submit(request, { id: `${id}pending`, transfers: 1, contract });
  await untilFinalized(request, `${id}sent`, contract);

  await signIn(page, VIEWER, `/contracts/${address}`);
  await page.getByRole("link", { name: "Statements" }).click();
  await expect(page).toHaveURL(new RegExp(`/contracts/${address}/statements\\?month=${month()}$`, "i"));
  await expect(page.getByRole("heading", { name: `Statement for ${nameOf(month())}` })).toContainText(
    "So far",
  );
  const reply = await request.get(`${api}/statements?month=${month()}&pointType=PHASE2_POINTS`, { headers });
  const [{ pointType, ...figures }] = (await reply.json()).statements;
  expect([pointType, figures]).toEqual([
    "PHASE2_POINTS",
    {
      opening: "0",
      issued: "15",
      received: "0",
      sent: "7.5",
      closing: "7.5",
      pending: "1.5",
      cancelled: "7.5",
    },
  ]);
  for (const [name, amount] of Object.entries<string>(figures)) {
    const row = page.getByRole("row", { name: new RegExp(`^${name}`, "i") });
    await expect(row.getByRole("cell").first(), name).toHaveText(
      new RegExp(`^Points[+−]?${amount.replace(".", "\\.")}$`),
    );
  }

  const [header, points] = await linesOf(page, "Download CSV");
  expect(header).toBe(
    "contract_label,contract_address,month,from,to,point_type,opening,issued,received,sent,closing,pending," +
      "cancelled,is_final,read_at,taken_back,given_back",
  );
  expect(points).toMatch(/^'=Finance,0x.*,PHASE2_POINTS,0,15,0,7\.5,7\.5,1\.5,7\.5,false,/);
  const finalized = await linesOf(page, `Finalized in ${nameOf(month())}`);
  expect(finalized.slice(1).map((line) => line.split(",")[0])).toEqual(Array(3).fill(`${id}sent`));
  await page.goto(`/contracts/${address}/statements?month=2999-01`);
  await expect(page.getByText("The month must not be in the future")).toBeVisible();
});
