import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  chooseFile,
  clipboardOf,
  csvFile,
  download,
  newAddress,
  newPrefix,
  overflowPx,
  reviewRows,
  signIn,
  statusOf,
  submit,
  test,
  untilFinalized,
  walletOf,
} from "./journey";
import { ADMIN, BASE_URL, VIEWER } from "./people";
import { createContract } from "./setup";

test.use({ permissions: ["clipboard-read", "clipboard-write"], reducedMotion: "reduce" });

const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Contract", exact: true }).getByRole("link", { name });

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
  await expect(page.getByRole("region", { name: "Gold balances" })).toContainText(
    "Gold0available, and more on demandIssued0",
  );
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps).toContainText("2 of 6 done");
  await expectNoViolation(page);
  await tab(page, "Tokens").click();
  await page.getByRole("button", { name: "Create token" }).click();
  const asked = page.getByRole("dialog", { name: "Create an access token" });
  await expect(asked.getByLabel("Name")).toBeFocused();
  await expectNoViolation(page);
  await asked.getByLabel("Name").fill("quest bot");
  await asked.getByRole("button", { name: "Create token" }).click();
  const shown = page.getByRole("dialog", { name: "Token quest bot created" });
  await expect(shown.getByRole("button", { name: "Copy token" })).toBeFocused();
  await page.keyboard.press("Escape");
  const command = (await shown.getByText(/^curl /).textContent()) ?? "";
  const token = /ptb_[0-9A-Za-z]{36}/.exec(command)![0];
  await expect(shown.getByText(token, { exact: true })).toBeVisible();
  const answer = await run(request, command);
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({ success: true });
  await shown.getByRole("button", { name: "Copy token" }).click();
  await expect(shown.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await clipboardOf(page)).toBe(token);
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(token)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Create token" })).toBeFocused();
  await tab(page, "Overview").click();
  await expect(steps).toContainText("3 of 6 done");
  await expect(steps.getByText(`curl -X PUT ${BASE_URL}/v1/contracts/`)).toContainText(
    new RegExp(`contracts/${address}/batches`, "i"),
  );
  await submit(request, { id: `${newPrefix("steps")}1`, contract: { address, token } });
  await expect(steps).toContainText("4 of 6 done");

  await tab(page, "Tokens").click();
  const tokens = page.getByRole("region", { name: "Access tokens", exact: true });
  await expect(tokens.getByRole("row", { name: "quest bot" })).toContainText(ADMIN.email);

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

test("a grant is read as people write numbers, asked if it can be two, and repeated before it is made", async ({
  page,
}) => {
  const { label } = await register(page, "Prefunded");
  await page.getByRole("button", { name: "Grant points" }).click();
  const dialog = page.getByRole("dialog", { name: "Grant points" });
  const amount = dialog.getByLabel("Amount");
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  await amount.fill("a lot");
  await button("Continue").click();
  await expect(dialog.getByText("Must be a decimal string such as 1000 or 0.5.")).toBeVisible();
  for (const written of ["1.000,5", "1,000.50", "1 000,5", "1000.5"]) {
    await amount.fill(written);
    await expect(dialog.getByRole("status")).toHaveText(
      `1,000.5 Points for ${label}. A grant cannot be undone.`,
    );
  }
  await amount.fill("1,234");
  await expect(dialog.getByText("This can be read in two ways.")).toBeVisible();
  await expect(dialog.getByRole("status")).toBeEmpty();
  await expectNoViolation(page);
  await button("Continue").click();
  await expect(dialog.getByRole("alert")).toHaveText(
    "The amount can be read in two ways. Choose the one that you mean.",
  );
  await expect(dialog.getByText("Must be a decimal string")).toHaveCount(0);
  await dialog.getByRole("radio", { name: /^1\.234/ }).check();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await button("Continue").click();
  await expect(button("Grant 1.234 Points")).toBeVisible();
  // Another amount is repeated again.
  await dialog.getByRole("radio", { name: /^1234/ }).check();
  await button("Continue").click();
  await expect(button("Grant 1,234 Points")).toBeVisible();
  await dialog.getByRole("radio", { name: "Gold" }).check();
  await amount.fill("1234567890123456789.000000000001");
  await button("Continue").click();
  const sum = "1,234,567,890,123,456,789.000000000001";
  await button(`Grant ${sum} Gold`).click();
  await expect(dialog).toBeHidden();
  const gold = page.getByRole("region", { name: "Gold balances" });
  await expect(gold).toContainText(`${sum}availableIssued${sum}`);
  const grants = page.getByRole("region", { name: "Issuances and grants", exact: true });
  await expect(grants.getByRole("row").nth(1)).toContainText(`Granted by ${ADMIN.email}`);
});

const TABS = [
  ["Overview", "", "Balances"],
  ["Tokens", "/tokens", "Access tokens"],
  ["Webhooks", "/webhooks", "Webhooks"],
  ["Requests", "/requests", "Requests"],
  ["Approvals", "/approvals", "Approvals"],
] as const;

test("each tab of a contract has an address and reads only what it shows", async ({ page }) => {
  test.slow();
  const address = newAddress();
  createContract(address, "Tabbed");
  await signIn(page, ADMIN);
  await page.goto(`/contracts/${address}`);
  for (const [name, path, heading] of TABS) {
    await tab(page, name).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/contracts/${address}${path}$`, "i"));
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    await expect(tab(page, name)).toHaveAttribute("aria-current", "page");
    const html = await (await page.request.get(`/contracts/${address}${path}`)).text();
    const shown = TABS.filter(([, , other]) => html.includes(`>${other}</h2>`)).map(([other]) => other);
    expect(shown).toEqual([name]);
  }
  await page.goto(`/contracts/${address}/batches`);
  await expect(page).toHaveURL(`/batches?contract=${address}`);
  await page.goto(`/contracts/${address}`);
  await page.getByRole("link", { name: "View batches" }).click();
  await expect(page).toHaveURL(new RegExp(`/batches\\?contract=${address}$`, "i"));
});

test("New payout waits as long as the contract's default says, and a wait of less than a minute is said in red", async ({
  page,
}) => {
  const { label } = await register(page, "On demand");
  const change = async (amount: string, unit: string) => {
    await page.getByRole("button", { name: "Change default wait" }).click();
    const dialog = page.getByRole("dialog", { name: "Change default wait" });
    await expect(dialog).toContainText("API requests without secondsToFinalize still wait 1 d.");
    await dialog.getByLabel("Time unit").selectOption(unit);
    await dialog.getByLabel("Finalize after").fill(amount);
    await expect(dialog.getByText("Less than a minute")).toHaveCount(unit === "seconds" ? 1 : 0);
    await dialog.getByRole("button", { name: "Change default wait" }).click();
    await expect(dialog).toBeHidden();
  };
  const proposed = async () => {
    await page.goto("/batches/new");
    const contract = page.getByLabel("Contract", { exact: true });
    const option = contract.getByRole("option", { name: new RegExp(`^${label}`) });
    await contract.selectOption(await option.getAttribute("value"));
    return [
      await page.getByLabel("Finalize after").inputValue(),
      await page.getByLabel("Time unit").inputValue(),
    ];
  };
  const url = page.url();
  expect(await proposed()).toEqual(["24", "hours"]);
  await expect(page.getByText("The service’s default.")).toBeVisible();
  await page.goto(url);
  await change("90", "minutes");
  await expect(page.getByText("1 h 30 min")).toBeVisible();
  await change("5", "seconds");
  expect(await proposed()).toEqual(["5", "seconds"]);
  await expect(page.getByText("The contract’s default.")).toBeVisible();
  await expect(page.getByText("Less than a minute")).toHaveCSS("color", "rgb(185, 28, 28)");
  await chooseFile(page, csvFile("payout.csv", [`${newAddress()},1.5`]));
  await reviewRows(page, `${newPrefix("short")}1`);
  await expect(page.getByRole("heading", { name: "Not submitted yet" })).toBeVisible();
  await expect(page.getByText("Less than a minute").locator("visible=true")).toHaveCSS(
    "color",
    "rgb(185, 28, 28)",
  );
});

test("a prefunded contract is renamed and changed", async ({ page }) => {
  await register(page, "Prefunded");
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
  for (const path of [`/contracts/${address}/statements`, "/contracts/statements"]) {
    await page.goto(`${path}?month=2999-01`);
    await expect(page.getByRole("heading", { name: "No statement" })).toBeVisible();
    await expect(page.getByText("The month must not be in the future: the current month is")).toBeVisible();
    await page.getByRole("link", { name: "View the current month" }).click();
    await expect(page).toHaveURL(new RegExp(`${path}\\?month=${month()}$`, "i"));
  }

  await page.goto("/contracts");
  await page.getByRole("link", { name: "Statements" }).click();
  await expect(page).toHaveURL(`/contracts/statements?month=${month()}`);
  const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${address}" i]`) });
  await expect(row).toHaveText(/=Finance.*Issued15.*Sent7\.5.*Closing7\.5Pending1\.5/);
  const lines = await linesOf(page, "Download CSV");
  expect(lines[0]).toBe(header);
  const own = lines.filter((line) => line.toLowerCase().includes(address));
  expect(own).toHaveLength(2);
  expect(own[0]).toMatch(/^'=Finance,0x.*,PHASE2_POINTS,0,15,0,7\.5,7\.5,1\.5,7\.5,false,/);
  await row.getByRole("link").click();
  // Nothing was taken or given back.
  const equation = "Opening balance + issued + received − sent = closing balance.";
  await expect(page.getByText(equation)).toBeVisible();
  await page.getByRole("link", { name: "All contracts" }).click();
  await expect(row).toBeVisible();
});

test("the statements of all contracts fit at 1,024 pixels with every figure", async ({ page, request }) => {
  const [sender, recipient] = [newAddress(), newAddress()];
  const contract = { address: sender, token: createContract(sender, "Sender of large amounts") };
  createContract(recipient, "Recipient");
  const id = newPrefix("wide");
  const rows: [string, string][] = [[recipient, "1234567.123456"]];
  await submit(request, { id: `${id}paid`, rows, seconds: 1, contract });
  await untilFinalized(request, `${id}paid`, contract);
  await submit(request, { id: `${id}pending`, rows, contract });
  await signIn(page, ADMIN, `/batches/${sender}/${id}paid`);
  const taken = {
    contractAddress: sender,
    batchId: `${id}paid`,
    reversalId: `${id}back`,
    secondsToFinalize: 1,
  };
  expect(await statusOf(page, "batches.reverse", taken)).toBe(200);
  await page.setViewportSize({ width: 1024, height: 800 });
  const figures = page.getByRole("region", { name: "Statements in points" });
  const large = figures.getByRole("row").filter({ hasText: "Sender of large amounts" });
  await expect(async () => {
    await page.goto("/contracts/statements");
    await expect(large).toContainText("Taken back1,234,567.123456", { timeout: 2000 });
  }).toPass();
  await expect(figures).toContainText("− Given back");
  expect(await overflowPx(figures)).toBe(0);
});

test("a contract's page says how many POSTs came without a key, and an admin requires one from then on", async ({
  page,
  request,
}) => {
  const address = newAddress();
  const token = createContract(address, `Keys ${address.slice(2, 8)}`);
  const post = (id: string) => {
    const transfers = [{ toAddress: walletOf(1), points: "1" }];
    return request.fetch(`${BASE_URL}/v1/contracts/${address}/batches${id}`, {
      method: id ? "PUT" : "POST",
      headers: { Authorization: `Bearer ${token}` },
      data: { pointType: "PHASE2_POINTS", secondsToFinalize: 3600, transfers },
    });
  };
  await signIn(page, ADMIN, `/contracts/${address}`);
  const setting = page.getByText("without one in 30 days").locator("..");
  await expect(setting).toContainText(/Optional.*0 POSTs without one in 30 days/);
  for (const status of [200, 200]) expect((await post("")).status()).toBe(status);
  await page.reload();
  await expect(setting).toContainText("2 POSTs without one in 30 days");
  await page.getByRole("button", { name: "Change key requirement" }).click();
  const dialog = page.getByRole("dialog", { name: "Change key requirement" });
  await dialog.getByRole("radio", { name: "Required" }).check();
  await expectNoViolation(page, ["light", "dark"]);
  await dialog.getByRole("button", { name: "Change key requirement" }).click();
  await expect(dialog).toBeHidden();
  await expect(setting).toContainText("Required");
  expect([(await post("")).status(), (await post("/named")).status()]).toEqual([400, 200]);
  await page.goto("/access/audit");
  await expect(page.getByText("required an idempotency key").first()).toBeVisible();
});
