import { execSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  addFilter,
  batchPath,
  clipboardOf,
  decide,
  download,
  newAddress,
  newPrefix,
  openAs,
  pathOf,
  signIn,
  submit,
  test,
  untilFinalized,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";
import { createContract } from "./setup";

test.use({ reducedMotion: "reduce" });

test("a recipient's page says why points are not there yet", async ({ page, request }) => {
  test.slow();
  const to = newAddress();
  const prefix = newPrefix("why");
  await submit(request, { id: `${prefix}held`, rows: [[to, "10.5"]] });
  await submit(request, { id: `${prefix}gold`, rows: [[to, "2"]], pointType: "PHASE2_GOLD" });
  await submit(request, { id: `${prefix}wrong`, rows: [[to, "3"]] });
  await submit(request, { id: `${prefix}now`, rows: [[to, "7.000000000001"]], seconds: 1 });
  await untilFinalized(request, `${prefix}now`);
  await signIn(page, ADMIN);
  await page.goto(batchPath(`${prefix}held`));
  await decide(page, "Put on hold", "Put this batch on hold?", "Amounts to be checked");
  await page.goto(batchPath(`${prefix}wrong`));
  await decide(page, "Cancel batch", "Cancel this batch?", "Wrong file");

  await page.goto("/batches");
  await addFilter(page, "Recipient");
  await page.getByLabel("Recipient address").fill(to);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("link", { name: "View recipient" }).click();
  const points = page.getByRole("region", { name: "Points totals" });
  await expect(points).toContainText("Points7.000000000001");
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("10.5 Points are delayed by a check, and may be cancelled.");
  await expect(summary).toContainText(/2 Gold are expected, due at \d{4}-[\d-]+ [\d:]+\./);
  const row = (id: string) => page.getByRole("row", { name: `${prefix}${id}` });
  await expect(row("held")).toContainText(/On hold.*Amounts to be checked · admin@example\.com/);
  await expect(row("gold")).toContainText(/due \d{4}-\d\d-\d\d/);
  await expect(row("wrong")).toContainText(/Cancelled.*Wrong file · admin@example\.com/);
  await expect(row("now")).toContainText("Finalized");
  await expect(row("now").getByRole("cell").nth(3)).toHaveText("Balance7.000000000001");

  const list = page.getByRole("region", { name: "Transfers to the address" });
  const filters = page.getByRole("search", { name: "Filters" });
  await filters.getByRole("button", { name: "Status" }).click();
  await page.getByRole("checkbox", { name: "On hold" }).check();
  await expect(page).toHaveURL(/status=HELD/);
  await expect(list.getByRole("row")).toHaveCount(2);
  await expect(page.getByLabel("Sums of the filtered transfers")).toHaveText(
    "Points10.5 on hold in 1 transfer",
  );

  const file = await download(page, page.getByRole("link", { name: "Download CSV" }));
  const [, ...lines] = file.trim().split("\r\n");
  expect(lines.map((line) => line.split(",")[5])).toEqual([`${prefix}held`]);
});

test("a wallet's pages lead with what it has, in a paragraph to copy, now and at an earlier time", async ({
  page,
  context,
  request,
}) => {
  test.slow();
  const to = newAddress();
  const prefix = newPrefix("has");
  await submit(request, { id: `${prefix}kept`, rows: [[to, "21"]], seconds: 1 });
  await submit(request, { id: `${prefix}wrong`, rows: [[to, "10.5"]], seconds: 1 });
  for (const id of ["kept", "wrong"]) await untilFinalized(request, prefix + id);
  // The field has whole seconds, and the reversal below is finalized more than one later.
  const paidAt = Math.ceil(Date.now() / 1000) * 1000;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, ADMIN, batchPath(`${prefix}wrong`));
  await page.getByRole("button", { name: "Take back…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Take back this batch?", exact: true });
  await dialog.getByLabel("Time unit", { exact: true }).selectOption("seconds");
  await dialog.getByLabel("Finalize after", { exact: true }).fill("1");
  await dialog.getByLabel("Reason", { exact: true }).fill("Wrong amount");
  await dialog.getByRole("button", { name: "Take back 10.5 Points from 1 recipient" }).click();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await timeline.getByRole("link", { name: /^reversal-/ }).click();
  await expect(page.getByText("Finalized, points taken back", { exact: true })).toBeVisible();

  const totals = page.getByRole("region", { name: / totals$/ });
  for (const path of [`/recipients/${to}`, `/r/${to}`]) {
    await page.goto(path);
    await expect(totals).toHaveText(["Points21", "Gold0"]);
    const summary = page.getByRole("region", { name: "Summary" });
    await summary.getByRole("button", { name: "Copy summary" }).click();
    await expect(summary.getByRole("button", { name: "Copied summary" })).toBeVisible();
    const copied = await clipboardOf(page);
    expect(copied).toMatch(/^At [\d-]+ [\d:]+ \(\S+\), the wallet 0x\w{40} has /);
    expect(copied.split(" has ")[1]).toBe(
      "21 Points (31.5 received − 10.5 taken back) and no Gold. No more transfers are expected.",
    );
    const [, zone] = /\((\S+)\)/.exec(copied)!;
    const text = await page.getByRole("main").textContent();
    expect(text!.split(zone!)).toHaveLength(2);
    await summary.getByLabel("What it had at an earlier time").fill(localTime(paidAt, zone!));
    await summary.getByRole("button", { name: "Show" }).click();
    await expect(summary).toContainText(/ had 31\.5 Points and no Gold\./);
    await summary.getByRole("button", { name: "Copy holding" }).click();
    await expect
      .poll(() => clipboardOf(page))
      .toMatch(/^At [\d-]+ [\d:]+ \(\S+\), the wallet 0x\w{40} had 31\.5 Points and no Gold\.$/);
    await page.goto(pathOf(page));
    await expect(summary).toContainText(/ had 31\.5 Points and no Gold\./);
    await expectNoViolation(page, ["light", "dark"]);
    await page.goto(`${path}?at=yesterday`);
    await expect(summary).toContainText("The time in the link cannot be read.");
  }
});

const localTime = (ms: number, zone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" })
    .format(ms)
    .replace(" ", "T");

test("a label is shown next to the address everywhere", async ({ page, request }) => {
  test.slow();
  const to = newAddress();
  const id = `${newPrefix("label")}1`;
  const label = `Treasury ${to.slice(2, 10)}`;
  await submit(request, { id, rows: [[to, "5"]] });
  await signIn(page, ADMIN, `/recipients/${to}`);
  await page.getByRole("button", { name: "Add label…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add label" });
  await expect(dialog.getByLabel("Label")).toBeFocused();
  await expectNoViolation(page);
  await dialog.getByLabel("Label").fill(label);
  await dialog.getByRole("button", { name: "Save" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(label);
  await expect(heading).toContainText(new RegExp(to, "i"));
  await expect(page).toHaveTitle(new RegExp(`^(?:\\(\\S+\\) )?${label} · Recipient 0x`));

  await page.goto(batchPath(id));
  const transfers = page.getByRole("region", { name: "Batch transfers" });
  await expect(transfers.getByRole("row").last()).toContainText(new RegExp(`${to}.*${label}`, "i"));
  await page.getByLabel("Search transfers by address or label").fill(label.toUpperCase());
  await expect(transfers.getByRole("row")).toHaveCount(2);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Recipients" }).click();
  await expect(page.getByRole("heading", { name: "Recipients of the last payouts" })).toBeVisible();
  await expectNoViolation(page, ["light", "dark"]);
  await page.getByRole("searchbox").fill(label);
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(new RegExp(`/recipients/${to}`, "i"));

  await page.getByRole("banner").getByRole("button", { name: "Search" }).click();
  await page.getByRole("combobox", { name: "Search" }).fill(label.toLowerCase());
  const option = page.getByRole("option", { name: new RegExp(to, "i") });
  await expect(option).toContainText(label);
  await option.click();
  await expect(page).toHaveURL(new RegExp(`/recipients/${to}`, "i"));
});

test("anyone sees a wallet's points, and verifies a receipt against a root", async ({ page, request }) => {
  test.slow();
  const to = newAddress();
  const prefix = newPrefix("wallet");
  const headers = { Authorization: `Bearer ${process.env.E2E_TOKEN}` };
  const api = `/v1/contracts/${CONTRACT}/batches/${prefix}`;
  await submit(request, { id: `${prefix}1`, rows: [[to, "10.000000000001"]], seconds: 1 });
  await submit(request, { id: `${prefix}2`, rows: [[to, "2"]], pointType: "PHASE2_GOLD" });
  await untilFinalized(request, `${prefix}1`);
  const { root } = await (await request.get(`${api}1/root`, { headers })).json();

  await page.goto(`/r/${to}`);
  const points = page.getByRole("region", { name: "Points totals" });
  await expect(points).toContainText("Points10.000000000001");
  await expect(page.getByRole("region", { name: "Summary" })).toContainText("2 Gold are expected, due at");
  const row = (id: string) => page.getByRole("row").filter({ has: page.getByTitle(`${prefix}${id}`) });
  await expect(row("1")).toContainText("Received");
  await expect(row("2")).toContainText(/Expected.*due \d{4}-/);
  await expect(row("2").getByRole("button", { name: /^Verify/ })).toHaveCount(0);

  const link = row("1").getByRole("link", { name: `Download the receipt of ${prefix}1` });
  const receipt = JSON.parse(await download(page, link));
  const reply = await page.request.get((await link.getAttribute("href"))!);
  // Once PUBLIC_RECEIPTS is off, no cache may still show it.
  expect(reply.headers()["cache-control"]).toBe("no-store");
  expect(receipt).toMatchObject({ batchId: `${prefix}1`, points: "10.000000000001", root });

  const verify = row("1").getByRole("button", { name: `Verify the receipt of ${prefix}1` });
  await verify.click();
  const dialog = page.getByRole("dialog", { name: "Verify this receipt" });
  const result = dialog.getByRole("status");
  await expect(result).toHaveText(/^The proof matches this service’s root\./);
  const field = dialog.getByLabel("Root that the contract’s owner published");
  await field.fill(`${root.slice(0, -1)}${root.endsWith("0") ? "1" : "0"}`);
  await expect(result).toHaveText(/^Not proven\./);
  await field.fill(` ${root.toUpperCase().replace("0X", "0x")} `);
  await expect(result).toHaveText(/^Proven\./);
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  // The page does not trust the receipt: one that was changed on its way does not match what the page shows.
  await page.route(`**/r/**/${prefix}1`, (route) => route.fulfill({ json: { ...receipt, position: 1 } }));
  await page.reload();
  await verify.click();
  await expect(result).toHaveText(/^The proof does not match this service’s own root\./);
});

test("a snapshot says who holds what, adds up, and is compared, downloaded, shared and deleted", async ({
  page,
  browser,
  request,
}) => {
  test.slow();
  const [address, first, second, third] = [newAddress(), newAddress(), newAddress(), newAddress()];
  const label = newPrefix("Season");
  const contract = { address, token: createContract(address, label) };
  const pay = async (id: string, rows: [string, string][]) => {
    await submit(request, { id, rows, seconds: 1, contract });
    await untilFinalized(request, id, contract);
  };
  await signIn(page, ADMIN, "/batches");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Snapshots" }).click();
  const scope = page.getByRole("button", { name: "Contract", exact: true });
  await scope.click();
  await page.getByLabel("Search contracts by label or address").fill(label);
  await page.getByRole("button", { name: new RegExp(`^${label}`) }).click();
  await expect(page.getByRole("heading", { name: "No snapshots yet" })).toBeVisible();

  const dialog = page.getByRole("dialog", { name: "Take a snapshot of points" });
  const take = dialog.getByRole("button", { name: "Take snapshot", exact: true });
  await page.getByRole("button", { name: "Take snapshot…" }).click();
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await expectNoViolation(page);
  await take.click();
  await expect(dialog).toContainText("It must not be before the first batch, and there is none.");
  await pay("one", [
    [first, "10.5"],
    [second, "1.000000000001"],
  ]);
  await dialog.getByLabel("As of").fill("2999-01-01T00:00");
  await take.click();
  await expect(dialog).toContainText("It must not be in the future.");
  const takeNamed = async (name: string) => {
    await dialog.getByLabel("As of").fill("");
    await dialog.getByLabel("Name").fill(name);
    await take.click();
    await expect(page).toHaveURL(/snapshot=/);
    await expect(page.getByRole("heading", { name: `“${name}”` })).toBeVisible();
  };
  await takeNamed("Before");
  await expect(page.getByRole("main")).toContainText("There is no earlier snapshot of the same holdings.");
  await pay("two", [
    [first, "4.5"],
    [third, "3"],
  ]);
  await page.getByRole("button", { name: "Take snapshot…" }).click();
  await takeNamed("After");

  const main = page.getByRole("main");
  await expect(main).toContainText(`of ${label}`);
  await expect(main).toContainText(
    "19.000000000001 held by 3 holders + 0 held by registered contracts that are left out " +
      "= 19.000000000001 paid by the contract and not taken back",
  );
  await expect(main).toContainText(
    "+7.5 points, from 11.500000000001 to 19.000000000001, and 2 to 3 holders",
  );
  const row = (region: string, name: string | RegExp) =>
    page.getByRole("region", { name: region, exact: true }).getByRole("row", { name });
  await expect(row("Change by kind", /^New holders/)).toHaveText(/1.*\+3$/);
  await expect(row("Change by kind", /^Hold more/)).toHaveText(/1.*\+4\.5$/);
  const holders = page.getByRole("region", { name: "Table of holders" });
  const holder = (of: string) =>
    holders.locator("tr", { has: page.locator(`a[href="/recipients/${of}" i]`) });
  await expect(holder(first)).toHaveText(/15.*78\.94%$/);
  const plots = ["Holders by what they hold", "What they hold together", "Share of the largest holders"];
  for (const name of plots) await expect(page.getByRole("img", { name })).toBeVisible();
  await expectNoViolation(page, ["light", "dark"]);

  const search = page.getByLabel("Search holders by address or label");
  await search.fill(third.slice(0, 12));
  await expect(holder(third)).toContainText("15.78%");
  await expect(holder(first)).toHaveCount(0);
  await search.fill("nobody of this name");
  await expect(main).toContainText("No holder of this snapshot matches.");
  const file = await download(page, page.getByRole("link", { name: "Download CSV" }));
  const sorted = [first, second, third].toSorted();
  const amounts = { [first]: "15", [second]: "1.000000000001", [third]: "3" };
  expect(file).toBe(["address,points", ...sorted.map((of) => `${of},${amounts[of]}`), ""].join("\r\n"));
  const [, command] = /```sh\n(.*)\n```/.exec(readFileSync("docs/snapshots.md", "utf8"))!;
  const digest = execSync(command!.replace("holders.csv", "-"), { input: file, encoding: "utf8" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await main.getByRole("button", { name: "Copy digest" }).click();
  await expect(main.getByRole("button", { name: "Copied digest" })).toBeVisible();
  expect(await clipboardOf(page)).toBe(digest.slice(0, 64));

  const viewer = await openAs(browser, VIEWER, pathOf(page));
  await expect(viewer.getByRole("heading", { name: "“After”" })).toBeVisible();
  await expect(viewer.getByRole("main").getByRole("button", { name: /^(Take|Delete)/ })).toHaveCount(0);

  await page.getByRole("button", { name: "Delete…" }).click();
  const confirm = page.getByRole("dialog", { name: "Delete this snapshot?" });
  await expect(confirm).toContainText("“After” and the holdings of its 3 holders");
  await confirm.getByRole("button", { name: "Delete snapshot" }).click();
  await expect(page.getByRole("heading", { name: "“Before”" })).toBeVisible();
  await expect(page.getByRole("link", { name: "After" })).toHaveCount(0);
  await viewer.reload();
  await expect(viewer.getByRole("heading", { name: "Snapshot not found" })).toBeVisible();
});
