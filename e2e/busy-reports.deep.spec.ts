import { expect, type Locator, type Page } from "@playwright/test";
import { createDatabase, type Database } from "@/db/client";
import { freePort } from "@/db/embedded-cluster";
import { startBuiltApp } from "@/testing/built-app";
import { type BuiltApp, newContractToken } from "@/testing/launch-app";
import { whileLocked } from "@/testing/while-locked";
import { signInByForm, test } from "./journey";
import { CONTRACT } from "./people";

/** An app whose queries time out after a second. */
let app: BuiltApp;
let db: Database;
test.beforeAll(async () => {
  test.setTimeout(150_000);
  const port = await freePort();
  const environment = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_TIMEOUT_SECONDS: "1",
    FINALIZER: "off",
  };
  app = await startBuiltApp({ port, environment });
  await newContractToken(app, CONTRACT);
  db = createDatabase({ url: app.databaseUrl(), poolMax: 1, timeoutSeconds: 60, pooler: "none" });
});
test.afterAll(async () => {
  await db?.close();
  await app?.stop();
});

/** On a busy machine, the page's other queries may time out too. */
const openUntil = (page: Page, path: string, sign: Locator) =>
  expect(async () => {
    await page.goto(`${app.url}${path}`);
    await expect(sign).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 60_000 });

test("points per day, a forecast or a statement that takes too long says what to do, hides nothing else, and can be retried", async ({
  page,
}) => {
  test.slow();
  await signInByForm(page, app.admin, "/batches", app.url);
  const forecast = page.getByRole("region", { name: "Forecast", exact: true });
  await whileLocked(db, "batches", async () => {
    await openUntil(page, `/contracts/${CONTRACT}`, forecast.getByText("The forecast is not available"));
    await expect(page.getByText("The points per day are not available")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Access tokens" })).toBeVisible();
  });
  await forecast.getByRole("button", { name: "Try again" }).click();
  await expect(forecast.getByText("No points due in the current hour and the 23 after it")).toBeVisible();

  const month = new Date().toISOString().slice(0, 7);
  await whileLocked(db, "issuances", async () => {
    const title = page.getByRole("heading", { name: "The statement is not available" });
    await openUntil(page, `/contracts/${CONTRACT}/statements?month=${month}`, title);
    await expect(page.getByText("choose a later month, which takes less time")).toBeVisible();
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("table").first()).toBeVisible();
});
