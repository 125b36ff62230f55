import { randomBytes, randomUUID } from "node:crypto";
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
import { ADMIN, BASE_URL, CONTRACT, type Person } from "./people";

/**
 * Fails when any page violates its content security policy. Chromium logs every violation to the console, for scripts,
 * styles, frames and connections alike.
 */
export const test = base.extend<{ violations: string[] }>({
  violations: [
    async ({ browser }, use) => {
      const violations: string[] = [];
      const listen = (message: ConsoleMessage) => {
        if (/content security policy/i.test(message.text())) violations.push(message.text());
      };
      const watch = (context: BrowserContext) => context.on("console", listen);
      for (const context of browser.contexts()) watch(context);
      browser.on("context", watch);
      await use(violations);
      browser.off("context", watch);
      expect(violations, "content security policy").toEqual([]);
    },
    { auto: true },
  ],
});

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

export async function signInByForm(page: Page, person: Person, callback = "/batches"): Promise<void> {
  await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(callback)}`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

/** A page of a browser of their own, signed in. @param baseURL by default the shared app */
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

/**
 * Opens the console as somebody who was signed out, in a new tab: the open page may leave for sign-in by itself at any time,
 * which would interrupt.
 * @returns the new tab, at the sign-in form
 */
export async function expectSignedOut(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await page.close();
  await tab.goto("/batches");
  await expect(tab).toHaveURL(/\/sign-in/);
  return tab;
}

/** Unique per test, so that filtering by it finds the batches of one test. */
export const newPrefix = (journey: string) => `${journey}-${randomUUID().slice(0, 8)}-`;

export const newAddress = () => `0x${randomBytes(20).toString("hex")}`;

/** "New batch", with the shared contract chosen. */
export async function openNewBatch(page: Page): Promise<void> {
  await signIn(page, ADMIN, "/batches/new");
  const contract = page.getByLabel("Contract", { exact: true });
  const journeys = contract.getByRole("option", { name: /^Journeys/ });
  await contract.selectOption(await journeys.getAttribute("value"));
}

export const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "a")}`;

interface NewBatch {
  id: string;
  seconds?: number;
  transfers?: number;
  pointType?: "PHASE2_POINTS" | "PHASE2_GOLD";
  /** By default the shared contract. */
  contract?: { address: string; token: string };
}

/** Submits a batch through the REST API. */
export async function submit(request: APIRequestContext, batch: NewBatch): Promise<void> {
  const { id, seconds = 3600, transfers = 3, pointType = "PHASE2_POINTS", contract } = batch;
  const reply = await request.put(`/v1/contracts/${contract?.address ?? CONTRACT}/batches/${id}`, {
    headers: { Authorization: `Bearer ${contract?.token ?? process.env.E2E_TOKEN}` },
    data: {
      pointType,
      secondsToFinalize: seconds,
      transfers: Array.from({ length: transfers }, (_, row) => ({
        toAddress: walletOf(row + 1),
        points: `${row + 1}.5`,
      })),
    },
  });
  expect(reply.status(), await reply.text()).toBeLessThan(300);
}

interface Payment {
  id: string;
  to: string;
  points: string;
  pointType?: "PHASE2_POINTS" | "PHASE2_GOLD";
  seconds?: number;
}

/** Submits a batch with one transfer through the REST API. */
export async function pay(request: APIRequestContext, payment: Payment): Promise<void> {
  const { id, to, points, pointType = "PHASE2_POINTS", seconds = 3600 } = payment;
  const reply = await request.put(`/v1/contracts/${CONTRACT}/batches/${id}`, {
    headers: { Authorization: `Bearer ${process.env.E2E_TOKEN}` },
    data: { pointType, secondsToFinalize: seconds, transfers: [{ toAddress: to, points }] },
  });
  expect(reply.status(), await reply.text()).toBeLessThan(300);
}

/** Chooses a file on "New batch", given as bytes or by its path, once React answers. Before, it would be lost. */
export async function chooseFile(page: Page, file: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
  const input = page.getByLabel(/Choose (a|another) file/);
  await expect
    .poll(() => input.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactProps"))))
    .toBe(true);
  await input.setInputFiles(file);
}

/** The batch IDs in the list, from the top. */
export const listedIds = (page: Page) =>
  page.getByRole("region", { name: "Batches" }).locator("[data-batch-link]").allInnerTexts();

export const batchPath = (id: string) => `/batches/${CONTRACT}/${id}`;
