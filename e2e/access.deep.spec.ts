import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  download,
  expectFits,
  expectSignedOut,
  newPrefix,
  pageOf,
  setPassword,
  signIn,
  signInByForm,
  statusOf,
  test,
} from "./journey";
import { ADMIN, VIEWER } from "./people";

const PASSWORD = "a sentence to keep in mind";
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

test("a team member is invited, sets a password, changes role and is disabled, all with audit log entries", async ({
  page,
  browser,
}) => {
  test.slow();
  const email = newEmail("invite");
  await signIn(page, ADMIN, "/access");
  const link = await invite(page, email, "Operator");
  await expect(rowOf(page, email)).toContainText("Invited");

  let person = await (await browser.newContext()).newPage();
  await setPassword(person, link, PASSWORD);
  await person.getByRole("button", { name: `${email}, operator` }).click();
  await person.goto(link);
  await expect(person.getByText("This link is no longer valid")).toBeVisible();
  await person.goto("/access");
  await expect(rowOf(person, email)).toContainText("you");

  let dialog = await change(page, email, "Change role…");
  await dialog.getByRole("radio", { name: "Viewer" }).check();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(rowOf(page, email)).toContainText("Viewer");
  person = await expectSignedOut(person);
  await signInByForm(person, { email, password: PASSWORD });
  await expect(person.getByRole("button", { name: `${email}, viewer` })).toBeVisible();

  dialog = await change(page, email, "Disable…");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(rowOf(page, email)).toContainText("Disabled");
  person = await expectSignedOut(person);
  await person.getByLabel("Email").fill(email);
  await person.getByLabel("Password").fill(PASSWORD);
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
  await expect(log.getByRole("row").nth(1)).toContainText("enabled the team member");
  await expect(log.getByRole("row").nth(2)).toContainText("disabled the team member");
  await expect(log.getByRole("row").nth(3)).toContainText("changed the role from operator to viewer");
  await expect(log.getByRole("row").nth(4)).toContainText("set a password from a link");
  await expect(log.getByRole("row").nth(5)).toContainText("invited the team member as operator");
  await expect(log.getByText("5 entries")).toBeVisible();
});

test("a forgotten password is reset with a link", async ({ page, browser }) => {
  test.slow();
  const email = newEmail("forgot");
  await signIn(page, ADMIN, "/access");
  const person = await (await browser.newContext()).newPage();
  await setPassword(person, await invite(page, email, "Viewer"), PASSWORD);
  const dialog = await change(page, email, "Create password link…");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await linkIn(dialog);
  const elsewhere = await (await browser.newContext()).newPage();
  await setPassword(elsewhere, link, "another sentence altogether");
  await expectSignedOut(person);
});

test("changing the password keeps this browser signed in, and signs out others", async ({
  page,
  browser,
}) => {
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
  await dialog.getByLabel("New password", { exact: true }).fill("short");
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(dialog.getByText("Use 12 to 200 characters.")).toBeVisible();
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

test("the last admin cannot be demoted, and an invalid or used email is rejected", async ({ page }) => {
  await signIn(page, ADMIN, "/access");
  const dialog = await change(page, ADMIN.email, "Change role…");
  await dialog.getByRole("radio", { name: "Viewer" }).check();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(dialog.getByText(`${ADMIN.email} is the last admin who can sign in.`)).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Invite member" }).click();
  await dialog.getByLabel("Email").fill("nobody");
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(dialog.getByText("Enter an email address, such as name@example.com.")).toBeVisible();
  await dialog.getByLabel("Email").fill(VIEWER.email);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(
    dialog.getByText(`A team member with the email ${VIEWER.email} already exists.`),
  ).toBeVisible();
});

test("a viewer sees the team and the audit log, has no buttons to change anything, and is refused by the server", async ({
  page,
}) => {
  await signIn(page, VIEWER, "/access");
  await expect(rowOf(page, ADMIN.email)).toContainText("Admin");
  await expect(page.getByRole("button", { name: /^(Invite|Manage )/ })).toHaveCount(0);
  const id = "00000000-0000-4000-8000-000000000000";
  const call = (name: string, input: object) => statusOf(page, `staff.${name}`, input);
  expect(await call("invite", { email: "friend@example.com", role: "admin" })).toBe(403);
  expect(await call("changeRole", { personId: id, role: "admin" })).toBe(403);
  for (const name of ["newLink", "confirm", "disable", "enable"])
    expect(await call(name, { personId: id })).toBe(403);
  await page.goto("/access/audit");
  await expect(page.getByRole("region", { name: "Audit log" }).getByRole("row").nth(1)).toBeVisible();
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
  await page.goto("/access/audit?target=nothing-like-this");
  await expect(page.getByText("No entries match these filters")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await expect(log.getByRole("row").nth(1)).toBeVisible();
  const refused = await page.request.get("/access/audit/export?action=moon.landing");
  expect(refused.status()).toBe(400);
});

test.describe("in both themes", () => {
  test.use({ reducedMotion: "reduce" });

  test("the team page, its dialogs, the audit log and the welcome page have no accessibility violations", async ({
    page,
    browser,
  }) => {
    test.slow();
    const email = newEmail("axe");
    await signIn(page, ADMIN, "/access");
    await page.getByRole("button", { name: "Invite member" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill(email);
    await expectNoViolation(page);
    await dialog.getByRole("button", { name: "Create invitation" }).click();
    const link = await linkIn(dialog);
    await expectNoViolation(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(dialog).toBeHidden();
    await expectNoViolation(page);
    await rowOf(page, email)
      .getByRole("button", { name: `Manage ${email}` })
      .click();
    await expect(page.getByRole("menuitem", { name: "Disable…" })).toBeVisible();
    await page.waitForTimeout(400);
    await expectNoViolation(page);
    await page.getByRole("menuitem", { name: "Disable…" }).click();
    await expect(dialog).toBeVisible();
    await page.waitForTimeout(400);
    await expectNoViolation(page);
    await page.goto("/access/audit");
    await expect(page.getByRole("region", { name: "Audit log" })).toBeVisible();
    await expectNoViolation(page);
    await page.getByRole("button", { name: "Action" }).click();
    await expect(page.getByRole("checkbox", { name: "Team member invited" })).toBeVisible();
    await page.waitForTimeout(400);
    await expectNoViolation(page);
    const stranger = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
    await stranger.goto(link);
    await expect(stranger.getByText(email)).toBeVisible();
    await expectNoViolation(stranger);
    await stranger.goto("/welcome#not-a-link");
    await stranger.reload();
    await expect(stranger.getByText("This link is no longer valid")).toBeVisible();
    await expectNoViolation(stranger);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true });

  test("team members and log entries are cards, and a member is invited and disabled", async ({ page }) => {
    const email = newEmail("phone");
    await signIn(page, ADMIN, "/access");
    await invite(page, email, "Viewer");
    const card = page
      .getByRole("region", { name: "Team members" })
      .getByRole("listitem")
      .filter({ hasText: email });
    await expect(card).toContainText("Invited");
    await expect(page.getByRole("table")).toHaveCount(0);
    await expectFits(page);
    await expectNoViolation(page);
    await card.getByRole("button", { name: `Manage ${email}` }).tap();
    await page.getByRole("menuitem", { name: "Disable…" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).tap();
    await expect(card).toContainText("Disabled");
    await page.goto(`/access/audit?target=${encodeURIComponent(email)}`);
    await expect(page.getByRole("listitem").filter({ hasText: "disabled the team member" })).toBeVisible();
    await expectFits(page);
    await expectNoViolation(page);
  });
});
