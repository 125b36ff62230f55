import { expect, type Page } from "@playwright/test";
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
const rowOf = (page: Page, email: string) => page.getByRole("row").filter({ hasText: email });

async function change(page: Page, email: string, item: string) {
  await rowOf(page, email)
    .getByRole("button", { name: `Manage ${email}` })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
  return page.getByRole("dialog");
}

test.use({ reducedMotion: "reduce" });

test("a member is invited, changes the password, gets another role, and is disabled", async ({
  page,
  browser,
}) => {
  test.slow();
  const email = `${newPrefix("invite")}person@example.com`;
  await signIn(page, ADMIN, "/access");
  await page.getByRole("button", { name: "Invite member" }).click();
  let dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("radio", { name: "Operator" }).check();
  await expectNoViolation(page);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = ((await dialog.getByText(/\/welcome#/).textContent()) ?? "").trim();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(rowOf(page, email)).toContainText("Invited");

  let person = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await person.goto(link);
  await expect(person.getByText(email)).toBeVisible();
  await expectNoViolation(person);
  await setPassword(person, link, PASSWORD);
  const elsewhere = await pageOf(browser, { email, password: PASSWORD }, "/batches");
  await person.goto(link);
  await expect(person.getByText("This link is no longer valid")).toBeVisible();

  await person.goto("/access");
  await expect(rowOf(person, email)).toContainText("you");
  await person.getByRole("button", { name: `${email}, operator` }).click();
  await person.getByRole("menuitem", { name: "Change password…" }).click();
  dialog = person.getByRole("dialog");
  await dialog.getByLabel("Current password").fill("not the current password");
  await dialog.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await dialog.getByLabel("Repeat new password").fill(NEW_PASSWORD);
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(dialog.getByText("The current password is incorrect.")).toBeVisible();
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(person.getByText("Password changed. Your other sessions were signed out.")).toBeVisible();
  await person.goto("/access");
  await expect(person.getByRole("heading", { name: "Team" })).toBeVisible();
  await expectSignedOut(elsewhere);

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

  await page.getByRole("navigation", { name: "Team" }).getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("button", { name: "Target" }).click();
  await page.getByLabel("All or part of a batch ID, contract address or email").fill(email);
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/target=invite-/);
  const log = page.getByRole("region", { name: "Audit log" });
  const entries = [
    "disabled the team member",
    "changed the role from operator to viewer",
    "changed their own password",
    "set a password from a link",
    "invited the team member as operator",
  ];
  for (const [at, words] of entries.entries())
    await expect(log.getByRole("row").nth(at + 1)).toContainText(words);
  await expect(page.getByText(`${entries.length} entries`)).toBeVisible();
  const file = await download(page, page.getByRole("link", { name: "Export CSV" }));
  const lines = file.trim().split("\r\n");
  expect(lines[0]).toBe("at,actor,action,what,target,detail,request_id");
  expect(lines).toHaveLength(1 + entries.length);
  await page.goBack();
  await expect(page).not.toHaveURL(/target=/);
});
