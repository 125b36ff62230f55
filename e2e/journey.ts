import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";
import { type BuiltApp, newContractToken, startBuiltApp } from "@/testing/launch-app";
import { ADMIN, BASE_URL, CONTRACT, FIRST, type Person, SECOND } from "./people";

/**
 * Fails when any page violates its content security policy. Chromium logs every violation to the console, for
 * scripts, styles, frames and connections alike. And a page that is opened is used only once React has taken
 * it over.
 */
export const test = base.extend<{ violations: string[] }>({
  violations: [
    async ({ browser }, use) => {
      const violations: string[] = [];
      const listen = (message: ConsoleMessage) => {
        if (/content security policy/i.test(message.text())) violations.push(message.text());
      };
      const watch = (context: BrowserContext) => {
        context.on("console", listen);
        context.on("page", waitsForHydration);
      };
      for (const context of browser.contexts()) watch(context);
      browser.on("context", watch);
      await use(violations);
      browser.off("context", watch);
      expect(violations, "content security policy").toEqual([]);
    },
    { auto: true },
  ],
});

const HYDRATION_MS_MAX = 15_000;

/** Opening a page by its address, or again, also waits for React, as a person does without knowing it. */
function waitsForHydration(page: Page): void {
  const { goto, reload } = page;
  page.goto = async (...given) => {
    const response = await goto.apply(page, given);
    await untilHydrated(page);
    return response;
  };
  page.reload = async (...given) => {
    const response = await reload.apply(page, given);
    await untilHydrated(page);
    return response;
  };
}

/**
 * Until React has taken over every control of the page that the server sent. Before, a click or a key does what
 * it would without scripts, or nothing. A page without React's scripts has nothing to wait for, and one that is
 * never taken over fails where it is used.
 */
export const untilHydrated = (page: Page) =>
  page
    .waitForFunction(
      () => {
        if (!("__next_f" in window)) return true;
        const controls = [...document.querySelectorAll("button, input, select, summary, textarea")];
        return controls.every((control) => Object.keys(control).some((key) => key.startsWith("__react")));
      },
      null,
      // By time: Chromium may draw no frames of a page behind another one.
      { polling: 50, timeout: HYDRATION_MS_MAX },
    )
    .catch(() => undefined);

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
const sessions = new Map<string, Cookies>();

/** For users whose access no test changes: each worker fills in the form once, and reuses the session. */
export async function signIn(page: Page, person: Person, path = "/batches"): Promise<void> {
  const session = sessions.get(person.email);
  if (session) {
    await page.context().addCookies(session);
    await page.goto(path);
    return;
  }
  await signInByForm(page, person, path);
  const cookies = await page.context().cookies();
  sessions.set(
    person.email,
    cookies.filter(({ name }) => name.includes("session-token")),
  );
}

/** @param origin by default the shared app */
export async function signInByForm(
  page: Page,
  person: Person,
  path = "/batches",
  origin = "",
): Promise<void> {
  await page.goto(`${origin}/sign-in?callbackUrl=${encodeURIComponent(path)}`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await untilHydrated(page);
}

/** A page of a browser of their own, signed in by the form. @param baseURL by default the shared app */
export async function pageOf(
  browser: Browser,
  person: Person,
  path: string,
  baseURL: string = BASE_URL,
): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await signInByForm(page, person, path);
  return page;
}

/** The same for users whose access no test changes. */
export async function openAs(browser: Browser, person: Person, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, person, path);
  return page;
}

/** An app with two people of one role, for journeys that the others' people or batches would disturb. */
export function appOfTwo(role: "admin" | "operator", environment: Record<string, string> = {}) {
  const app = {} as BuiltApp;
  test.beforeAll(async () => {
    const settings = { MINIMUM_FINALIZE_SECONDS: "1", ...environment };
    Object.assign(app, await startBuiltApp({ environment: settings }));
    for (const { email, password } of [FIRST, SECOND])
      await app.ops(["user", "create", "--email", email, "--role", role], password);
  });
  test.afterAll(() => app.stop?.());
  return {
    app,
    signedIn: (browser: Browser, person: Person, path: string) => pageOf(browser, person, path, app.url),
    newContract: async () => {
      const address = newAddress();
      return { address, token: await newContractToken(app, address), origin: app.url };
    },
  };
}

/** Leaves the open page first: without a session it goes to sign-in by itself, at any time. */
export async function dropSession(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/** Sets a password with the link of an invitation or a reset. */
export async function setPassword(page: Page, link: string, password: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("Repeat new password").fill(password);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/batches$/);
}

/**
 * Uses a new tab, since the open page may redirect to sign-in by itself at any time. It stays open: Chromium
 * sometimes never answers that it closed a page which was leaving for another.
 * @returns the new tab, at the sign-in form
 */
export async function expectSignedOut(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await expect(async () => {
    await tab.goto("/batches", { timeout: 15_000 });
    await expect(tab).toHaveURL(/\/sign-in/, { timeout: 15_000 });
  }).toPass();
  return tab;
}

/** Unique per test, so that filtering by it finds the batches of one test. */
export const newPrefix = (journey: string) => `${journey}-${randomUUID().slice(0, 8)}-`;

export const newAddress = () => `0x${randomBytes(20).toString("hex")}`;

/** Authorizes a request to the shared contract. */
export const auth = () => ({ headers: { Authorization: `Bearer ${process.env.E2E_TOKEN}` } });

/** "New payout", with a contract chosen by its label. */
export async function openNewBatch(page: Page, label = "Journeys"): Promise<void> {
  await signIn(page, ADMIN, "/batches/new");
  await chooseContract(page, label);
}

export async function chooseContract(page: Page, label: string): Promise<void> {
  const contract = page.getByLabel("Contract", { exact: true });
  const option = contract.getByRole("option", { name: new RegExp(`^${label}`) });
  await contract.selectOption(await option.getAttribute("value"));
  await page.getByLabel("Time unit").selectOption("hours");
  await page.getByLabel("Finalize after").fill("1");
}

/** @param batchId of the payout; its first batch is `….001` */
export async function reviewRows(page: Page, batchId: string): Promise<void> {
  await page.getByLabel(/^(Batch|Payout) ID$/).fill(batchId);
  await page.getByRole("button", { name: "Review" }).click();
}

/** Confirms unusual findings, if there are any: other journeys finalize batches of the same contract. */
export async function confirmFindings(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Review", exact: true })).toBeVisible();
  for (const box of await page.getByLabel(/^(?:I have checked|Pay the same transfers)/).all())
    await box.check();
}

/** Takes a decision about the open batch. */
export async function decide(page: Page, button: string, title: string, reason: string): Promise<void> {
  await page.getByRole("button", { name: `${button}…` }).click();
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: button }).click();
  await expect(dialog).toBeHidden();
}

export const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "a")}`;

type PointType = "PHASE2_POINTS" | "PHASE2_GOLD";

export interface Contract {
  address: string;
  token: string;
  origin?: string;
}

interface NewBatch {
  id: string;
  seconds?: number;
  /** Number of transfers, of 1.5, 2.5, 3.5 … points to the wallets 1, 2, 3 … */
  transfers?: number;
  /** Instead of `transfers`. */
  rows?: [to: string, points: string, reference?: string][];
  pointType?: PointType;
  payoutId?: string;
  /** By default the shared contract, of the shared app. */
  contract?: Contract;
}

/** Submits a batch through the REST API. */
export async function submit(request: APIRequestContext, batch: NewBatch): Promise<void> {
  const { id, seconds = 3600, transfers = 3, pointType = "PHASE2_POINTS", payoutId, contract } = batch;
  const rows =
    batch.rows ?? Array.from({ length: transfers }, (_, row) => [walletOf(row + 1), `${row + 1}.5`]);
  const { address, token, origin = "" } = contract ?? { address: CONTRACT, token: process.env.E2E_TOKEN };
  const reply = await request.put(`${origin}/v1/contracts/${address}/batches/${id}`, {
    headers: { Authorization: `Bearer ${token}` },
    data: {
      pointType,
      secondsToFinalize: seconds,
      payoutId,
      transfers: rows.map(([toAddress, points, reference]) => ({ toAddress, points, reference })),
    },
  });
  expect(reply.status(), await reply.text()).toBeLessThan(300);
}

interface StoredBatch {
  status: string;
  points: string;
  transferCount: number;
  transfers: { toAddress: string; points: string }[];
}

/** A batch of the shared contract, as the REST API returns it. */
export async function storedBatch(request: APIRequestContext, id: string): Promise<StoredBatch> {
  const reply = await request.get(`/v1/contracts/${CONTRACT}/batches/${id}`, auth());
  expect(reply.status(), id).toBe(200);
  return (await reply.json()).batch;
}

/** Waits until a batch with one second to finalize is finalized. */
export async function untilFinalized(
  request: APIRequestContext,
  id: string,
  { address = CONTRACT, token = process.env.E2E_TOKEN }: Partial<Contract> = {},
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const path = `/v1/contracts/${address}/batches/${id}`;
  await expect
    .poll(async () => (await (await request.get(path, { headers })).json()).batch.status)
    .toBe("FINALIZED");
}

export const csvFile = (name: string, rows: readonly string[], header = "to_address,points") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from([header, ...rows, ""].join("\r\n")),
});

/** Calls a mutation of the console as the page's user. @returns the status */
export const statusOf = (page: Page, procedure: string, input: object): Promise<number> =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { "Content-Type": "application/json" };
      return (await fetch(`/api/trpc/console.${path}`, { method: "POST", headers, body: body! })).status;
    },
    [procedure, JSON.stringify(input)],
  );

/** Takes a snapshot as the page's user, and waits until it is taken. @returns its ID */
export async function takeSnapshot(page: Page): Promise<string> {
  const reply = await page.request.post("/api/trpc/console.snapshots.take", {
    headers: { Origin: BASE_URL },
    data: { pointType: "PHASE2_POINTS" },
  });
  const snapshotId: string = (await reply.json()).result.data.id;
  const input = encodeURIComponent(JSON.stringify({ snapshotId }));
  await expect
    .poll(async () => (await page.request.get(`/api/trpc/console.snapshots.get?input=${input}`)).json())
    .toMatchObject({ result: { data: { status: "TAKEN" } } });
  return snapshotId;
}

/** The text of the file that a click downloads. */
export async function download(page: Page, link: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return (await readFile(await file.path(), "utf8")).replace(/^\uFEFF/, "");
}

/** On a phone, nothing scrolls sideways. */
export async function expectFits(page: Page): Promise<void> {
  const isWider = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("main")].some(
      (element) => element.scrollWidth > element.clientWidth,
    ),
  );
  expect(isWider, "something is wider than the screen").toBe(false);
}

export const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** By how much its content is wider than itself: above 0, it scrolls sideways. */
export const overflowPx = (part: Locator) =>
  part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

/** Chooses a file on "New payout", by its bytes or path. Links to it load the page. */
export async function chooseFile(page: Page, file: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
  await untilHydrated(page);
  await page.getByLabel(/Choose (a|another) file/).setInputFiles(file);
}

/** Presses again if the page's script was not there yet. @returns the field */
export async function openSearch(page: Page, key = "Control+k"): Promise<Locator> {
  const button = page.locator('[aria-label="Search"][aria-haspopup="dialog"]');
  await expect(async () => {
    if ((await button.getAttribute("aria-expanded")) !== "true") await page.keyboard.press(key);
    await expect(button).toHaveAttribute("aria-expanded", "true", { timeout: 1_000 });
  }).toPass();
  const field = page.getByRole("dialog", { name: "Search" }).getByRole("combobox", { name: "Search" });
  await expect(field).toBeFocused();
  return field;
}

/** Opens a filter of the list that is not set. */
export async function addFilter(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add filter" }).click();
  const menu = page.getByRole("dialog", { name: "Add filter" });
  await menu.getByRole("button", { name, exact: true }).click();
}

/** Opens the list's menu, and returns one of its links. */
export async function inListMenu(page: Page, name: string): Promise<Locator> {
  await page.getByRole("button", { name: "Columns and export" }).click();
  return page.getByRole("dialog", { name: "Columns and export" }).getByRole("link", { name });
}

/** The batch IDs in the list, from the top. */
export const listedIds = (page: Page) =>
  page.getByRole("region", { name: "Batches" }).locator("[data-batch-link]").allInnerTexts();

/** What a colleague gets as a link. */
export const pathOf = (page: Page) => page.url().replace(/^https?:\/\/[^/]+/, "");

export const batchPath = (id: string) => `/batches/${CONTRACT}/${id}`;
