import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { download, expectFits, newAddress, newPrefix, pay, signIn, test } from "./journey";
import { CONTRACT, VIEWER } from "./people";

const LEAF_ENCODING = ["address", "string", "string", "uint256", "address", "uint256"];

test("anyone sees what a wallet received and will receive, and verifies a receipt against a published root", async ({
  page,
  request,
}) => {
  test.slow();
  const to = newAddress();
  const prefix = newPrefix("wallet");
  const headers = { Authorization: `Bearer ${process.env.E2E_TOKEN}` };
  const api = `/v1/contracts/${CONTRACT}/batches/${prefix}`;
  await pay(request, { id: `${prefix}1`, to, points: "10.000000000001", seconds: 1 });
  await pay(request, { id: `${prefix}2`, to, points: "2", pointType: "PHASE2_GOLD" });
  await expect
    .poll(async () => (await request.get(`${api}1/root`, { headers })).status(), { timeout: 30_000 })
    .toBe(200);
  const { root } = await (await request.get(`${api}1/root`, { headers })).json();

  await page.goto(`/r/${to}`);
  const points = page.getByRole("region", { name: "Points totals" });
  await expect(points).toContainText("10.000000000001received");
  await expect(page.getByRole("region", { name: "Gold totals" })).toContainText("2 expected");
  const row = (id: string) => page.getByRole("row").filter({ has: page.getByTitle(`${prefix}${id}`) });
  await expect(row("1")).toContainText("Received");
  await expect(row("2")).toContainText(/Expected.*due \d{4}-/);
  await expect(row("2").getByRole("button", { name: /^Verify/ })).toHaveCount(0);
  await expectNoViolation(page);

  const link = row("1").getByRole("link", { name: `Download the receipt of ${prefix}1` });
  const receipt = JSON.parse(await download(page, link));
  const reply = await page.request.get((await link.getAttribute("href"))!);
  // Once PUBLIC_RECEIPTS is off, no cache may still show it.
  expect(reply.headers()["cache-control"]).toBe("no-store");
  expect(receipt).toMatchObject({ batchId: `${prefix}1`, points: "10.000000000001", root });
  expect(StandardMerkleTree.verify(root, LEAF_ENCODING, receipt.leaf, receipt.proof)).toBe(true);

  const verify = row("1").getByRole("button", { name: `Verify the receipt of ${prefix}1` });
  await verify.click();
  const dialog = page.getByRole("dialog", { name: "Verify this receipt" });
  const result = dialog.getByRole("status");
  await expect(result).toHaveText(/^The proof matches this service’s root\./);
  const field = dialog.getByLabel("Root that the contract published");
  await field.fill(root.slice(0, -1));
  await expect(dialog).toContainText("A root is 0x followed by 64 hex digits.");
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

test("a wallet that was never paid, a wrong address and a wrong page say so, and the page fits a phone", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const address = newAddress();
  await page.goto(`/r/${address}`);
  await expect(page.getByRole("heading", { name: "No transfers to this wallet" })).toBeVisible();
  await expectFits(page);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  await expectNoViolation(page);

  await page.goto(`/r/${address}?cursor=nonsense`);
  await page.getByRole("link", { name: "Show the newest transfers" }).click();
  await expect(page.getByRole("heading", { name: "No transfers to this wallet" })).toBeVisible();

  const wrong = await page.goto("/r/0x12");
  expect(wrong?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Invalid address" })).toBeVisible();

  await signIn(page, VIEWER, `/recipients/${address}`);
  await page.getByRole("link", { name: "Public page" }).click();
  await expect(page.getByRole("heading", { name: "No transfers to this wallet" })).toBeVisible();
});
