import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { expect, type Page } from "@playwright/test";
import { withSql } from "@/testing/citus/make-database";
import { setRule } from "@/testing/factories";
import { expectNoViolation } from "./axe";
import {
  appOfTwo,
  chooseContract,
  chooseFile,
  confirmFindings,
  csvFile,
  download,
  expectFits,
  newAddress,
  reviewRows,
  statusOf,
  submit,
  test,
  untilFinalized,
} from "./journey";
import { FIRST, SECOND, VIEWER } from "./people";

/** Of `newContractToken`. */
const LABEL = "A contract";
const ENCODING = ["address", "uint256"];
const TOKEN = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test.use({ reducedMotion: "reduce" });

/** An app of its own: an approval rule takes two admins, and a snapshot over all contracts its own ledger. */
const { app, signedIn, newContract } = appOfTwo("admin", { PUBLIC_RECEIPTS: "on" });
test.beforeAll(async () => {
  await app.ops(["user", "create", "--email", VIEWER.email, "--role", "viewer"], VIEWER.password);
});

/** In light and dark, and on a phone. */
async function expectGoodLooks(page: Page): Promise<void> {
  await expectNoViolation(page, ["light", "dark"]);
  const desktop = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page);
  await expectNoViolation(page);
  await page.setViewportSize(desktop);
}

const fact = (page: Page, region: string, name: string) =>
  page
    .getByRole("region", { name: region })
    .getByRole("definition")
    .and(page.locator(`dt:text-is("${name}") + dd`));

test("a snapshot becomes claims of a token, which a second person publishes and anyone verifies", async ({
  browser,
}) => {
  test.slow();
  const contract = await newContract();
  const holders = [1, 2, 3, 4].map(newAddress).toSorted();
  const team = newAddress();
  const page = await signedIn(browser, FIRST, "/batches");
  const { request } = page.context();
  const nothing = page.getByRole("heading", { name: "No batches yet" });
  await expect(nothing).toBeVisible();
  const rows = holders.map((to, at): [string, string] => [to, `${at + 1}`]);
  await submit(request, { id: "season", rows: [...rows, [team, "90"]], seconds: 1, contract });
  await untilFinalized(request, "season", contract);
  // The empty page changes by itself.
  await expect(page.getByRole("link", { name: "season" })).toBeVisible();
  await expect(nothing).toBeHidden();
  await withSql(app.databaseUrl(), (sql) => setRule({ sql }, contract.address, { threshold: "1000000" }));
  await app.ops(["snapshot", "take", "--type", "PHASE2_POINTS", "--name", "Season end"]);

  await page.goto("/snapshots");
  await page.getByRole("link", { name: "New allocation…" }).click();
  await expect(page.getByRole("heading", { name: "New allocation" })).toBeVisible();
  const formPath = page.url();
  const make = page.getByRole("button", { name: "Make allocation" });
  await expect(make).toHaveCount(0);
  await page.getByRole("radio", { name: "Safe" }).check();
  await expect(page.getByLabel("Decimals of the token")).toHaveValue("");
  await page.getByRole("radio", { name: "Gold here" }).check();
  await page.getByLabel("Decimals").fill("13");
  await expect(page.getByText("Enter a whole number from 0 to 12.")).toBeVisible();
  await page.getByLabel("Decimals").fill("6");
  await page.getByLabel("Total in gold").fill("1,000");
  await expect(page.getByText("without separators")).toBeVisible();
  await page.getByLabel("Total in gold").fill("1000");
  await expect(fact(page, "Preview", "Recipients")).toHaveText("5 of 5 holders");

  await page.getByText("Leave out addresses").click();
  await page.getByRole("button", { name: "File", exact: true }).click();
  await chooseFile(page, csvFile("team.csv", [team, "team.eth"], "address"));
  const wrong = page.getByRole("list", { name: "Lines that are not addresses" });
  await expect(wrong).toContainText("Line 3");
  await expect(wrong).toContainText("team.eth");
  await expect(make).toBeDisabled();
  await expectGoodLooks(page);
  await chooseFile(page, csvFile("team.csv", [team], "address"));
  await expect(fact(page, "Preview", "Recipients")).toHaveText("4 of 5 holders");
  await expect(page.getByText("Of 1 address left out, 1 holds 90 points.")).toBeVisible();
  await expect(make).toBeDisabled();
  await page.getByLabel("Public name").fill("Season 1: drop");
  await expect(make).toBeEnabled();
  await page.getByLabel("Minimum in gold").fill("401");
  await expect(
    page.getByRole("alert").filter({ hasText: "Everybody's share is below the minimum" }),
  ).toBeVisible();
  await expect(make).toBeDisabled();
  await page.getByLabel("Minimum in gold").fill("150");
  await expect(fact(page, "Preview", "Recipients")).toHaveText("3 of 5 holders");
  // 2 : 3 : 4 of 10 points have at least 150 tokens each, and then share all of it.
  await expect(fact(page, "Preview", "Smallest amount")).toHaveText("222.222222 gold");
  await expect(fact(page, "Preview", "Added by rounding up")).toHaveText("0.000001 gold");
  await page.route("**/*allocations.preview*", () => undefined);
  await page.getByLabel("Decimals").fill("5");
  await expect(fact(page, "Preview", "Sum")).toHaveText("1,000 gold");
  await page.unroute("**/*allocations.preview*");
  await page.getByLabel("Decimals").fill("6");
  await expectGoodLooks(page);

  page.once("dialog", (dialog) => void dialog.dismiss());
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Batches" }).click();
  await expect(page).toHaveURL(formPath);
  await make.click();
  await expect(page.getByText("Not published")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Season 1: drop" })).toBeFocused();
  await expect(page.getByRole("main")).toContainText("Who pays it out: Gold here. Exactly 1,000 gold");
  await expect(page.getByRole("main")).toContainText(`any admin except ${FIRST.email} can publish it`);
  await expect(page.getByRole("button", { name: "Publish…" })).toHaveCount(0);
  const path = new URL(page.url()).pathname;
  const allocationId = path.split("/").at(-1)!;
  expect(await statusOf(page, "allocations.publish", { allocationId })).toBe(403);
  await expectGoodLooks(page);

  const claimPath = `/v1/allocations/${allocationId}/claims/${holders[1]}`;
  expect((await request.get(claimPath)).status()).toBe(404);
  const visitor = await (await browser.newContext({ baseURL: app.url })).newPage();
  await visitor.goto(`/r/${holders[1]}`);
  await expect(visitor.getByRole("heading", { name: "Transfers" })).toBeVisible();
  await expect(visitor.getByRole("region", { name: "Allocations" })).toHaveCount(0);

  const other = await signedIn(browser, SECOND, path);
  await other.getByRole("button", { name: "Publish…" }).click();
  const publishing = other.getByRole("dialog", { name: "Publish this allocation?" });
  await expect(publishing).toContainText("3 recipients, 1,000 gold in all");
  await expect(publishing).toContainText(/Gold here\..* Up to 6 decimals\. Merkle root: 0x[0-9a-f]{64}/);
  await expect(publishing).toContainText("This can never be undone.");
  await expectNoViolation(other);
  await publishing.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(other.getByRole("main")).toContainText(`Published by ${SECOND.email}`);
  await expect(other.getByRole("button", { name: "Delete…" })).toHaveCount(0);
  await expect(other.getByRole("heading", { name: "Season 1: drop" })).toBeFocused();

  const link = (name: string) => other.getByRole("link", { name: `Download “${name}”` });
  await expect(link("Payout")).toBeVisible();
  await expect(other.getByText("Check the unit")).toBeHidden();
  await other.getByLabel("Show other formats").check();
  await expect(link("Amounts in tokens")).toHaveCount(0);
  const tree = StandardMerkleTree.load(JSON.parse(await download(other, link("Merkle tree"))));
  const claims = [...tree.entries()].map(([, claim]) => claim.map((cell) => String(cell).toLowerCase()));
  const amounts = ["222222222", "333333333", "444444445"];
  expect(claims.toSorted()).toEqual(holders.slice(1).map((holder, at) => [holder, amounts[at]]));
  await lookUp(other, holders[3]!);
  await expect(other.getByRole("status").filter({ hasText: "444.444445" })).toBeVisible();
  await expect(other.locator("pre")).toHaveCount(0);
  await lookUp(other, team);
  await expect(other.getByText("It gets nothing")).toBeVisible();
  await expectGoodLooks(other);

  // The page is at most half a minute old.
  await expect(async () => {
    await visitor.reload();
    await expect(visitor.getByRole("region", { name: "Allocations", exact: true })).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
  const claim = visitor.getByRole("region", { name: "Allocations", exact: true }).getByRole("row").last();
  await expect(claim).toContainText(/222\.222222.*The issuer pays it here\. You have nothing to do\./);
  await expectGoodLooks(visitor);
  const proof = JSON.parse(await download(visitor, claim.getByRole("link", { name: /^Download the proof/ })));
  const { address: holder, amount, proof: hashes } = proof.claim;
  expect(StandardMerkleTree.verify(tree.root, ENCODING, [holder, amount], hashes)).toBe(true);
  const verify = claim.getByRole("button", { name: "Verify the amount of Season 1: drop" });
  await verify.click();
  const dialog = visitor.getByRole("dialog", { name: "Verify this amount" });
  await expect(dialog.getByRole("status")).toHaveText(/^The proof matches this service’s root\./);
  await dialog.getByLabel("Root that the issuer published").fill(tree.root);
  await expect(dialog.getByRole("status")).toHaveText(/^Proven\. .* exactly this amount\.$/);
  await expectNoViolation(visitor);
  await visitor.route("**/v1/allocations/**", (route) =>
    route.fulfill({ json: { claim: { ...proof.claim, amount: "1", proof: hashes.slice(1) } } }),
  );
  await visitor.reload();
  await verify.click();
  await expect(dialog.getByRole("status")).toHaveText(/^The proof does not match this service’s own root\./);

  const viewer = await signedIn(browser, VIEWER, path);
  await expect(viewer.getByText("Published", { exact: true })).toBeVisible();
  const statuses: [form: string, person: Page, status: number][] = [
    ["lines", viewer, 200],
    ["safe", viewer, 400],
    ["nothing", viewer, 404],
    ["human", visitor, 401],
  ];
  for (const [form, person, status] of statuses)
    expect((await person.request.get(`${path}/files/${form}`)).status(), form).toBe(status);
  await viewer.goto(new URL(formPath).pathname);
  await expect(viewer.getByRole("heading", { name: "You need the operator role" })).toBeVisible();

  await app.ops(["contract", "create", "--address", newAddress(), "--label", "Another payer"]);
  await payOnce(other, allocationId, holders[1]!);
  await expect(async () => {
    await visitor.reload();
    await expect(claim).toContainText(/222\.222222 Gold\s*To be paid/, { timeout: 1000 });
  }).toPass();
  const boxOf = async (name: string) =>
    (await visitor.getByRole("region", { name, exact: true }).boundingBox())!;
  expect((await boxOf("Points totals")).y).toBeLessThan((await boxOf("Allocations")).y);

  const snapshotId = new URL(formPath).searchParams.get("snapshot")!;
  const rule = ["--payer", "HEDGEY", "--total", "9", "--decimals", "18"];
  const tokens = await app.ops(["allocation", "make", "--snapshot", snapshotId, "--name", "Tree", ...rule]);
  await other.goto(path.replace(allocationId, tokens.split(" ")[0]!));
  await lookUp(other, holders[3]!);
  await expect(other.locator("pre")).toContainText(/"root": "0x\w{64}",\s+"proof": \[\s+"0x/);
  await expectSafe(other, page, path);

  await app.ops(["snapshot", "take", "--type", "PHASE2_POINTS"]);
  await other.goto("/snapshots");
  await expect(other.getByRole("heading", { name: /^“Points, \d{4}-/ })).toBeVisible();
  const listed = other.getByRole("region", { name: "Table of snapshots" }).getByRole("row").last();
  await expect(listed).toContainText(/Season end.*Season 1: drop.*Published/);
  await expectGoodLooks(other);
  await listed.getByRole("link", { name: "Season end", exact: true }).first().click();
  await expect(other.getByRole("heading", { name: "“Season end”" })).toBeVisible();
  await expect(other.getByRole("main")).toContainText("the published allocation “To a Safe” needs it");
  await expect(other.getByRole("button", { name: "Delete…" })).toHaveCount(0);
});

async function lookUp(page: Page, address: string): Promise<void> {
  await page.getByLabel("Address", { exact: true }).fill(address);
  await page.getByRole("button", { name: "Look up" }).click();
}

/** What a Safe pays out has one file, and cannot be paid in points. */
async function expectSafe(page: Page, second: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("link", { name: "“Season end”" }).click();
  await page.getByRole("link", { name: "New allocation…" }).click();
  await page.getByRole("radio", { name: "Safe" }).click();
  await page.getByLabel("Public name").fill("To a Safe");
  await page.getByLabel("Total in tokens").fill("20000");
  await page.getByLabel("Decimals of the token").fill("18");
  await page.getByRole("button", { name: "Make allocation" }).click();
  await expect(page.getByText("Not published")).toBeVisible();
  await second.goto(page.url());
  await second.getByRole("button", { name: "Publish…" }).click();
  await second.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
  await expect(second.getByText("Next: upload the file below to Safe.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("link", { name: "Pay in" })).toHaveCount(0);
  await expect(page.getByText("Check the unit").first()).toBeVisible();
  const file = page.getByRole("link", { name: "Download “Safe’s CSV files”" });
  await expect(file).toHaveCount(0);
  await page.getByLabel("Token address").first().fill(TOKEN);
  await expect(file).toHaveAttribute("href", new RegExp(`token=${TOKEN}$`));
  await expectGoodLooks(page);
  await page.goto(`/batches/new?allocation=${page.url().split("/").at(-1)}`);
  await expect(page.getByText("Its amounts are tokens.")).toBeVisible();
}

/** In gold, by New payout: the second time under the same ID, and then under another one. */
async function payOnce(page: Page, allocationId: string, holder: string): Promise<void> {
  const payments = page.getByRole("region", { name: "Payments", exact: true });
  const pay = async (paid: string | RegExp, batchId?: string, label = LABEL) => {
    await page.goto(`/snapshots/allocations/${allocationId}`);
    await expect(payments).toContainText(paid);
    await page.getByRole("link", { name: "Pay in gold…" }).click();
    await chooseContract(page, label);
    await expect(page.getByText("3 rows are valid")).toBeVisible();
    await expect(page.getByText("holders of the published allocation")).toBeVisible();
    await expect(page.getByRole("radio", { name: "Points" })).toHaveCount(0);
    const id = page.getByLabel("Payout ID");
    await expect(id).toHaveValue(`Season-1-drop-${allocationId.slice(0, 8)}`);
    await reviewRows(page, batchId ?? (await id.inputValue()));
  };
  const batchId = `Season-1-drop-${allocationId.slice(0, 8)}`;
  await pay("No holder of this snapshot has been paid yet.");
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: batchId })).toBeVisible();
  await expect(page.getByRole("row", { name: new RegExp(holder, "i") })).toContainText("222.222222");

  const once = /A contract: 1,000 Gold to 3 holders.* in Season 1: drop/;
  await pay(once);
  await expect(page.getByText("This batch was submitted before.")).toBeVisible();
  await pay(once, "another-id");
  await expect(page.getByText("A contract has already paid 3 of these holders")).toBeVisible();
  await expect(page.getByRole("button", { name: "Submit 1 batch" })).toBeDisabled();

  // Nothing else keeps another contract from paying them a second time.
  await pay(once, "second-time", "Another payer");
  await confirmFindings(page);
  const warning = page.getByRole("alert").filter({ hasText: "Another contract has already paid" });
  await expect(warning).toContainText(/A contract: 1,000 Gold to 3 holders, due \d{4}-.*, in Season 1: drop/);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  const tick = page.getByLabel("Pay these holders a second time");
  await expect(tick).toBeFocused();
  await expect(page.getByText("Confirm this first.")).toBeVisible();
  await expectGoodLooks(page);
  await tick.check();
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: "second-time" })).toBeVisible();

  await page.goto(`/snapshots/allocations/${allocationId}`);
  await expectGoodLooks(page);
  await payments
    .getByRole("link", { name: /^Season 1: drop/ })
    .last()
    .click();
  await expect(page.getByRole("heading", { name: /^Payout Season 1: drop/ })).toBeVisible();
}
