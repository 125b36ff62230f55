import { expect } from "@playwright/test";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";
import { type LocalIssuer, startLocalIssuer } from "@/testing/local-issuer";
import { test } from "./journey";

const STAFF = "viewer@example.com";

let issuer: LocalIssuer;
let app: BuiltApp;
test.beforeAll(async () => {
  issuer = await startLocalIssuer();
  app = await startBuiltApp({ environment: issuer.environment });
  await issuer.serve(`${app.url}/api/auth/callback/oidc`);
  await app.ops(["user", "create", "--email", STAFF, "--role", "viewer"], "correct horse battery");
});
test.afterAll(async () => {
  await app?.stop();
  await issuer?.stop();
});

test("team members sign in with single sign-on and reach the requested page; others see why they cannot", async ({
  page,
}) => {
  const button = page.getByRole("button", { name: "Sign in with Local issuer" });
  issuer.person = { email: "stranger@example.com", email_verified: true };
  await page.goto(`${app.url}/operations?range=7d`);
  await button.click();
  await expect(page.getByText("not a team member")).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in/);

  issuer.person = { email: STAFF, email_verified: true };
  await page.goto(`${app.url}/operations?range=7d`);
  await button.click();
  await expect(page.getByRole("heading", { level: 1, name: "Operations" })).toBeVisible();
  await expect(page).toHaveURL(`${app.url}/operations?range=7d`);
  await expect(page.getByText("Last 7 days, times in")).toBeVisible();

  await page.getByRole("button", { name: `${STAFF}, viewer` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(button).toBeVisible();
});
