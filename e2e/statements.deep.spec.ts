import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  addFilter,
  download,
  listedIds,
  newAddress,
  newPrefix,
  openAs,
  signIn,
  submit,
  test,
  walletOf,
} from "./journey";
import { ADMIN, VIEWER } from "./people";
import { createContract } from "./setup";

const month = () => new Date().toISOString().slice(0, 7);
const nameOf = (of: string) =>
  new Date(`${of}-15`).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

const linesOf = async (page: Page, link: string) =>
  (await download(page, page.getByRole("link", { name: link, exact: true }))).trimEnd().split("\r\n");

test("a month's statement adds up on screen, in the file and in the API; its transfers download, and its link is shared", async ({
  page,
  request,
  browser,
}) => {
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
  await expect
    .poll(
      async () => (await (await request.get(`${api}/batches/${id}sent`, { headers })).json()).batch.status,
    )
    .toBe("FINALIZED");

  await signIn(page, VIEWER, `/contracts/${address}`);
  await page.getByRole("link", { name: "Statements" }).click();
  await expect(page).toHaveURL(new RegExp(`/contracts/${address}/statements\\?month=${month()}$`, "i"));
  await expect(page.getByRole("heading", { name: `Statement for ${nameOf(month())}` })).toContainText(
    "So far",
  );
  const figure = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) }).getByRole("cell");
  const shown = {
    opening: "Opening balance",
    issued: "Issued",
    received: "Received",
    sent: "Sent",
    closing: "Closing balance",
    pending: "Pending",
    cancelled: "Cancelled",
  };
  const reply = await (
    await request.get(`${api}/statements?month=${month()}&pointType=PHASE2_POINTS`, { headers })
  ).json();
  expect(reply.statements).toEqual([
    {
      pointType: "PHASE2_POINTS",
      opening: "0",
      issued: "15",
      received: "0",
      sent: "7.5",
      closing: "7.5",
      pending: "1.5",
      cancelled: "7.5",
    },
  ]);
  for (const [key, name] of Object.entries(shown))
    await expect(figure(name).first(), name).toHaveText(
      new RegExp(`^[+−]?${reply.statements[0][key].replace(".", "\\.")}$`),
    );

  const [header, points] = await linesOf(page, "Download CSV");
  expect(header).toBe(
    "contract_label,contract_address,month,from,to,point_type,opening,issued,received,sent,closing,pending,cancelled,is_final,read_at,taken_back,given_back",
  );
  expect(points).toMatch(/^'=Finance,0x.*,PHASE2_POINTS,0,15,0,7\.5,7\.5,1\.5,7\.5,false,/);
  const finalized = await linesOf(page, `Finalized in ${nameOf(month())}`);
  expect(finalized.slice(1).map((line) => line.split(",").slice(0, 7).join())).toEqual(
    [1, 2, 3].map((row) =>
      expect.stringMatching(
        new RegExp(
          `^${id}sent,0x[0-9a-f]{40},${row},${walletOf(row)},PHASE2_POINTS,${row}\\.5,FINALIZED$`,
          "i",
        ),
      ),
    ),
  );
  const created = await linesOf(page, `Submitted in ${nameOf(month())}`);
  expect(created).toHaveLength(1 + 3 + 3 + 1);
  expect(created.filter((line) => line.includes(",CANCELLED,") && line.includes(",token:e2e,"))).toHaveLength(
    3,
  );
  await page.getByRole("button", { name: "Another period" }).click();
  await page.getByRole("button", { name: "This month" }).click();
  expect(await linesOf(page, "Submitted")).toHaveLength(8);

  const theirs = await openAs(browser, ADMIN, page.url().replace(/^https?:\/\/[^/]+/, ""));
  await expect(theirs.getByRole("row", { name: /^Closing balance/ })).toContainText("7.5");
  await theirs.context().close();
  await expectNoViolation(page);

  await page.emulateMedia({ media: "print" });
  for (const chrome of [
    page.getByRole("banner"),
    page.getByLabel("Sidebar", { exact: true }),
    page.getByRole("link", { name: "Download CSV" }),
  ])
    await expect(chrome).toBeHidden();
  await expect(page.getByRole("row", { name: /^Cancelled/ })).toBeVisible();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.evaluate(() => document.documentElement.setAttribute("data-theme", "dark"));
  await expect.poll(background).toBe("rgb(255, 255, 255)");
  await page.emulateMedia({ media: "screen" });

  for (const [wrong, why] of [
    ["2999-01", "The month must not be in the future"],
    ["2001-01", "The month must not be before"],
    ["13-2026", "The month in the link is invalid. Use a month such as 2026-01."],
  ] as const) {
    await page.goto(`/contracts/${address}/statements?month=${wrong}`);
    await expect(page.getByText(why)).toBeVisible();
  }
  await expectNoViolation(page);
  await page.getByRole("link", { name: "View the current month" }).click();
  await expect(page.getByRole("heading", { name: `Statement for ${nameOf(month())}` })).toBeVisible();
});

test("a month is filtered by its name, in any time zone of the world", async ({ page, request }) => {
  const prefix = newPrefix("month");
  await submit(request, { id: `${prefix}1` });
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await page.getByRole("button", { name: /^Time zone/ }).click();
  await page.getByLabel("Search time zones").fill("kiritimati");
  // Counts that arrive later move the chips below the menu.
  await page.waitForLoadState("networkidle");
  await expectNoViolation(page);
  await page.keyboard.press("Enter");
  const zone = page.getByRole("button", { name: "Time zone: Pacific/Kiritimati" });
  await expect(zone).toBeVisible();
  await expect(zone).toHaveAttribute("aria-expanded", "false");
  // Kiritimati is 14 hours ahead of UTC, so the month may be another one there.
  const there = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 7);

  await addFilter(page, "Created");
  await page.getByRole("button", { name: "This month" }).click();
  await expect(page.getByRole("button", { name: `Created ${nameOf(there)}` })).toBeVisible();
  await expect.poll(() => listedIds(page)).toEqual([`${prefix}1`]);
  const [year, number] = there.split("-").map(Number) as [number, number];
  const from = new Date(Date.UTC(year, number - 1) - 14 * 3_600_000).toISOString();
  expect(new URL(page.url()).searchParams.get("from")).toBe(from);
  await page.reload();
  await expect(zone).toBeVisible();

  await page.getByRole("button", { name: `Created ${nameOf(there)}` }).click();
  const last = new Date(Date.UTC(year, number - 2, 15)).toISOString().slice(0, 7);
  await page.getByLabel("Month", { exact: true }).selectOption(nameOf(last));
  await expect(page.getByRole("button", { name: `Created ${nameOf(last)}` })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No batches match these filters" })).toBeVisible();
});
