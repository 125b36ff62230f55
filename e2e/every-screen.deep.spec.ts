import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  addFilter,
  batchPath,
  expectFits,
  newAddress,
  newPrefix,
  openSearch,
  signIn,
  statusOf,
  submit,
  test,
  untilFinalized,
  walletOf,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

const PHONE = { width: 390, height: 844 };
/** An A4 page in landscape format. */
const PAPER = { width: 1032, height: 704 };

test.use({ reducedMotion: "reduce" });

const month = () => new Date().toISOString().slice(0, 7);

/** The buttons that a viewer does not have. */
const CHANGES = new RegExp(
  "^(Cancel|Put on|Add (note|label|webhook)|Rename|Change|Create token|Grant|Propose|Run|Check now|" +
    "Send a|Invite|Manage|Take|Delete)",
);

/** Screens whose tables are cards on a phone. */
const WITH_CARDS: readonly string[] = [
  "/contracts",
  "/recipients",
  "/snapshots",
  "/operations",
  "/access",
  "/access/audit",
];

const screensOf = (page: Page, prefix: string) => {
  const heading = (name: string) => page.getByRole("heading", { name, exact: true });
  const contract = `/contracts/${CONTRACT}`;
  return [
    [`/batches?id=${prefix}`, page.getByRole("link", { name: `${prefix}1` })],
    [`/batches?id=${prefix}nothing`, heading("No batches match these filters")],
    [batchPath(`${prefix}1`), heading("Timeline")],
    [batchPath("no-such-batch"), heading("Batch not found")],
    [`/payouts/${CONTRACT}/${prefix}payout`, heading("Batches")],
    [`/payouts/${CONTRACT}/no-such-payout`, heading("Payout not found")],
    ["/contracts", page.getByRole("link", { name: "Journeys" }).first()],
    ["/contracts?q=nothing+like+it", page.getByText("No results")],
    [`${contract}?days=7`, page.getByRole("img", { name: "Points submitted per day" })],
    [`${contract}/tokens`, heading("Access tokens")],
    [`${contract}/webhooks`, heading("Webhooks")],
    [`${contract}/requests`, heading("Requests")],
    [`${contract}/approvals`, heading("Approvals")],
    [`/contracts/statements?month=${month()}`, page.getByRole("row", { name: /^Journeys/ }).first()],
    [`${contract}/statements?month=${month()}`, page.getByRole("row", { name: /^Closing/ }).first()],
    ["/snapshots", heading("How holdings are spread")],
    ["/recipients", heading("Recipients of the last payouts")],
    ["/snapshots?contract=0x12", heading("This link has invalid filters")],
    [`/snapshots?snapshot=${randomUUID()}`, heading("Snapshot not found")],
    [`/snapshots/allocations/${randomUUID()}`, heading("Allocation not found")],
    [`/snapshots/allocations/new?snapshot=${randomUUID()}`, heading("Snapshot not found")],
    [`/batches/new?allocation=${randomUUID()}`, heading("Allocation not found")],
    [`/recipients/${walletOf(1)}`, heading("Transfers")],
    [`/recipients/${newAddress()}`, page.getByText("No transfers to this address")],
    ["/operations", page.getByRole("img", { name: "Time from due to finalized" })],
    ["/inbox", heading("Alerts")],
    ["/access", page.getByText(VIEWER.email).first()],
    ["/access/audit", page.getByRole("row").nth(1)],
    [`/r/${walletOf(1)}`, page.getByRole("region", { name: "Points totals" })],
    ["/docs/errors#insufficient_points", page.locator("article:target")],
    ["/docs/webhooks#what-is-sent", heading("What is sent")],
  ] as const;
};

// In two halves, which run at the same time.
for (const half of [0, 1])
  test(`screens are accessible in both themes, fit a phone and hydrate (${half + 1} of 2)`, async ({
    page,
    request,
  }) => {
    test.slow();
    const prefix = newPrefix("axe");
    await submit(request, { id: `${prefix}1`, transfers: 60, payoutId: `${prefix}payout` });
    await submit(request, { id: `${prefix}2`, seconds: 1 });
    await untilFinalized(request, `${prefix}2`);
    await signIn(page, ADMIN);
    expect(await statusOf(page, "snapshots.take", { pointType: "PHASE2_POINTS" })).toBe(200);
    const desktop = page.viewportSize()!;
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(`${page.url()} ${message}`));
    for (const [path, sign] of screensOf(page, prefix).filter((_, at) => at % 2 === half)) {
      await page.goto(path);
      await expect(sign, path).toBeVisible();
      for (const box of await page.getByLabel("Show as tables").all()) await box.check();
      await expectNoViolation(page, ["light", "dark"]);
      await page.setViewportSize(PHONE);
      await expect(sign, path).toBeVisible();
      await expectFits(page);
      if (WITH_CARDS.includes(path)) await expectNoViolation(page);
      await page.setViewportSize(desktop);
    }
    expect(errors).toEqual([]);
  });

test("no menu, panel or dialog of the list has accessibility violations", async ({ page, request }) => {
  test.slow();
  const prefix = newPrefix("panels");
  await submit(request, { id: `${prefix}1` });
  await signIn(page, ADMIN, `/batches?id=${prefix}&open=${CONTRACT}/${prefix}1`);
  const sheet = page.getByRole("dialog", { name: "Batch" });
  await expect(sheet.getByText("Timeline")).toBeVisible();
  await sheet.getByRole("button", { name: "Cancel batch…" }).click();
  await expect(page.getByLabel("Reason")).toBeFocused();
  await expectNoViolation(page, ["light", "dark"]);
  await page.goto(`/batches?id=${prefix}`);
  const buttons = ["Add filter", "Columns and export", ADMIN.email];
  for (const name of [...buttons, "Created", "Submitted by"]) {
    if (buttons.includes(name)) await page.getByRole("button", { name }).first().click();
    else await addFilter(page, name);
    // Its code is loaded on first use.
    await expect(page.locator(":is([role=dialog], [role=menu]):visible").first()).toBeVisible();
    await expectNoViolation(page, ["light", "dark"]);
    await page.keyboard.press("Escape");
  }
});

/** Pages of the document that the browser would print. */
async function printedPages(page: Page): Promise<number> {
  const file = await page.pdf({ preferCSSPageSize: true, format: "A4" });
  return file.toString("latin1").match(/\/Type ?\/Page\b/g)?.length ?? 0;
}

async function expectPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "dark";
  });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("banner")).toHaveCount(0);
  // The headings of sortable columns are buttons too.
  await expect(page.locator("button:visible:not(th button)")).toHaveCount(0);
  const found = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ground: getComputedStyle(document.documentElement).getPropertyValue("--color-surface").trim(),
    isCut: [...document.querySelectorAll<HTMLElement>("body, main, section[tabindex]")].some(
      (each) => each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY !== "visible",
    ),
  }));
  expect(found.overflow, "nothing is cut off at the right").toBeLessThanOrEqual(0);
  expect(found.ground, "paper is white").toMatch(/^#fff(?:fff)?$/);
  expect(found.isCut, "nothing scrolls instead of continuing on the next page").toBe(false);
}

test("screens print whole, with every transfer and without controls", async ({ page, request }) => {
  const transfers = 150;
  /** Fewer fit on a landscape page, whatever the printer. */
  const rowsPerPageMax = 40;
  const id = `${newPrefix("print")}1`;
  await submit(request, { id, transfers });
  await page.setViewportSize(PAPER);
  await signIn(page, ADMIN, batchPath(id));
  const rows = page.getByRole("region", { name: "Batch transfers" }).locator("tbody tr:not([aria-hidden])");
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(transfers);
  expect(await printedPages(page)).toBeGreaterThan(transfers / rowsPerPageMax);
  await expectPaper(page);
  await expect(rows).toHaveCount(transfers);
  const wholeAddress = new RegExp(walletOf(transfers), "i");
  await expect(rows.last().getByText(wholeAddress).first()).toBeVisible();
  for (const [path, heading] of [
    [`/contracts/${CONTRACT}`, "Balances"],
    [`/contracts/${CONTRACT}/tokens`, "Access tokens"],
    [`/recipients/${walletOf(1)}`, "Transfers"],
    ["/operations", "Operations"],
  ] as const) {
    await page.emulateMedia({ media: "screen" });
    await page.goto(path);
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    await expectPaper(page);
  }
});

test("a viewer sees every screen, and the server refuses each change", async ({ page, request }) => {
  const id = `${newPrefix("viewer")}1`;
  await submit(request, { id });
  await signIn(page, VIEWER, `/batches?id=${id}`);
  await expect(page.getByRole("link", { name: id })).toBeVisible();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "New payout" })).toHaveCount(0);
  for (const [path, heading] of [
    [batchPath(id), "Timeline"],
    ["/batches/new", "You need the operator role"],
    [`/contracts/${CONTRACT}`, "Balances"],
    [`/contracts/${CONTRACT}/tokens`, "Access tokens"],
    [`/contracts/${CONTRACT}/webhooks`, "Webhooks"],
    [`/contracts/${CONTRACT}/approvals`, "Approvals"],
    [`/recipients/${walletOf(1)}`, "Transfers"],
    ["/recipients", "Recipients"],
    ["/snapshots", "Snapshots"],
    ["/operations", "Operations"],
    ["/access", "Team"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: heading, exact: true }).first()).toBeVisible();
    await expect(page.getByRole("main").getByRole("button", { name: CHANGES }), path).toHaveCount(0);
  }
  await page.goto(batchPath(id));
  await openSearch(page);
  const option = (name: string) => page.getByRole("option", { name, exact: true });
  await expect(option("Sign out")).toBeVisible();
  await expect(option("New payout")).toHaveCount(0);

  const contract = { contractAddress: CONTRACT };
  const changes: [string, object][] = [
    ["batches.cancel", { ...contract, batchId: id, reason: "I may not" }],
    ["snapshots.take", { pointType: "PHASE2_POINTS" }],
    ["contracts.grant", { ...contract, pointType: "PHASE2_GOLD", points: "1" }],
    ["contracts.createToken", { ...contract, name: "x", scopes: ["batches:read"], expiresInDays: null }],
    ["staff.invite", { email: "friend@example.com", role: "admin" }],
  ];
  for (const [procedure, input] of changes)
    expect(await statusOf(page, procedure, input), procedure).toBe(403);
});
