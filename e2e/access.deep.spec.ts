import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  download,
  expectSignedOut,
  newPrefix,
  pageOf,
  setPassword,
  signIn,
  signInByForm,
  test,
} from "./journey";
import { ADMIN } from "./people";

const PASSWORD = "a sentence to keep in mind";
const NEW_PASSWORD = "another sentence altogether";
const newEmail = (journey: string) => `${newPrefix(journey)}person@example.com`;

const linkIn = async (dialog: Locator) => ((await dialog.getByText(/\/welcome#/).textContent()) ?? "").trim();

/** Invites someone from the open team page. @returns the link */
async function invite(page: Page, email: string, role: "Viewer" | "Operator" | "Admin"): Promise<string> {
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("radio", { name: role }).check();
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = await linkIn(dialog);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  return link;
}

const rowOf = (page: Page, email: string) => page.getByRole("row").filter({ hasText: email });

async function change(page: Page, email: string, item: string) {
  await rowOf(page, email)
    .getByRole("button", { name: `Manage ${email}` })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
  return page.getByRole("dialog");
}

test.use({ reducedMotion: "reduce" });

test("a member is invited, resets a password, changes role and is disabled", async ({ page, browser }) => {
  test.slow();
  const email = newEmail("invite");
  await signIn(page, ADMIN, "/access");
  await page.getByRole("button", { name: "Invite member" }).click();
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  const link = await invite(page, email, "Operator");
  await expect(rowOf(page, email)).toContainText("Invited");

  let person = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await person.goto(link);
  await expect(person.getByText(email)).toBeVisible();
  await expectNoViolation(person);
  await setPassword(person, link, PASSWORD);
  await person.getByRole("button", { name: `${email}, operator` }).click();
  await person.goto(link);
  await expect(person.getByText("This link is no longer valid")).toBeVisible();
  await expectNoViolation(person);
  await person.goto("/access");
  await expect(rowOf(person, email)).toContainText("you");

  let dialog = await change(page, email, "Create password link…");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const reset = await linkIn(dialog);
  await dialog.getByRole("button", { name: "Done" }).click();
  const elsewhere = await (await browser.newContext()).newPage();
  await setPassword(elsewhere, reset, NEW_PASSWORD);
  await elsewhere.context().close();
  person = await expectSignedOut(person);
  await signInByForm(person, { email, password: NEW_PASSWORD });

  dialog = await change(page, email, "Change role…");
  await dialog.getByRole("radio", { name: "Viewer" }).check();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(rowOf(page, email)).toContainText("Viewer");
  person = await expectSignedOut(person);
  await signInByForm(person, { email, password: NEW_PASSWORD });
  await expect(person.getByRole("button", { name: `${email}, viewer` })).toBeVisible();

  dialog = await change(page, email, "Disable…");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(rowOf(page, email)).toContainText("Disabled");
  person = await expectSignedOut(person);
  await person.getByLabel("Email").fill(email);
  await person.getByLabel("Password").fill(NEW_PASSWORD);
  await person.getByRole("button", { name: "Sign in" }).click();
  await expect(person.getByText("Incorrect email or password.")).toBeVisible();
  dialog = await change(page, email, "Enable…");
  await dialog.getByRole("button", { name: "Enable" }).click();
  await expect(rowOf(page, email)).toContainText("Active");

  await page.getByRole("navigation", { name: "Team" }).getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("button", { name: "Target" }).click();
  await page.getByLabel("All or part of a batch ID, contract address or email").fill(email);
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/target=invite-/);
  const log = page.getByRole("region", { name: "Audit log" });
  const entries = [
    "enabled the team member",
    "disabled the team member",
    "changed the role from operator to viewer",
    "set a password from a link",
    "created a password link",
    "set a password from a link",
    "invited the team member as operator",
  ];
  for (const [at, words] of entries.entries())
    await expect(log.getByRole("row").nth(at + 1)).toContainText(words);
  await expect(log.getByText(`${entries.length} entries`)).toBeVisible();
});

test("changing the password keeps only this browser signed in", async ({ page, browser }) => {
  test.slow();
  const email = newEmail("own");
  await signIn(page, ADMIN, "/access");
  const here = await (await browser.newContext()).newPage();
  await setPassword(here, await invite(page, email, "Viewer"), PASSWORD);
  const elsewhere = await pageOf(browser, { email, password: PASSWORD }, "/batches");
  await here.getByRole("button", { name: `${email}, viewer` }).click();
  await here.getByRole("menuitem", { name: "Change password…" }).click();
  const dialog = here.getByRole("dialog");
  await dialog.getByLabel("Current password").fill("not the current password");
  await dialog.getByLabel("New password", { exact: true }).fill("a new sentence to keep");
  await dialog.getByLabel("Repeat new password").fill("a new sentence to keep");
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(dialog.getByText("The current password is incorrect.")).toBeVisible();
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(here.getByText("Password changed. Your other sessions were signed out.")).toBeVisible();
  await here.goto("/access");
  await expect(here.getByRole("heading", { name: "Team" })).toBeVisible();
  await expectSignedOut(elsewhere);
});

test("the audit log's filters are in the URL, and the export has the same rows", async ({ page }) => {
  await signIn(page, ADMIN, "/access/audit");
  await page.getByRole("button", { name: "Actor" }).click();
  await page.getByRole("button", { name: "Command line" }).click();
  await expect(page).toHaveURL(/actor=ops/);
  await page.getByRole("button", { name: "Action" }).click();
  await page.getByRole("checkbox", { name: "Token created" }).check();
  await expect(page).toHaveURL(/action=token\.create/);
  await page.keyboard.press("Escape");
  const log = page.getByRole("region", { name: "Audit log" });
  await expect(log).toContainText("created the access token “e2e” with batches:read batches:write");
  const file = await download(page, page.getByRole("link", { name: "Export CSV" }));
  const lines = file.trim().split("\r\n");
  expect(lines[0]).toBe("at,actor,action,what,target,detail,request_id");
  await expect(log.getByRole("row")).toHaveCount(lines.length);
  for (const line of lines.slice(1)) expect(line).toContain(",ops,token.create,");
  await page.goBack();
  await expect(page).not.toHaveURL(/action=/);
});
