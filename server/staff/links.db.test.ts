import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { checkPassword } from "@/server/auth/passwords";
import { refusalOf } from "@/testing/expectations";
import {
  newPerson,
  publicContext,
  setRule,
  staffContext,
  storedPerson,
  times,
  wallet,
} from "@/testing/factories";
import { type MailSink, startMailSink } from "@/testing/local-servers";
import { callerOf } from "@/testing/staff-caller";
import { useDatabase } from "@/testing/test-database";
import { acceptInvitation, invitePerson, openInvitation, renewLink, requestReset } from "./links";
import { changeOwnPassword } from "./own-account";
import { createStaff } from "./people";
import { secondPersonObstacle } from "./second-person";

const FAILURES_MAX = 2;

const db = useDatabase();
let sink: MailSink;
beforeAll(async () => {
  sink = await startMailSink();
  for (const [name, value] of Object.entries({
    PUBLIC_URL: "https://points.example.com",
    SMTP_URL: sink.url,
    MAIL_FROM: "points@example.com",
    PASSWORD_FAILURES_PER_EMAIL: String(FAILURES_MAX),
  }))
    vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await sink.close();
});
beforeEach(async () => {
  sink.mails.length = 0;
  sink.refuseWith(() => undefined);
  await db.sql`truncate rate_limits`;
});

const PASSWORD = "a password that is long";
const NEW = "quite another password";
const LATE = "This link was used on ";
const minute = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD HH24:MI "UTC"') as text`;
const accept = (token: string, password = PASSWORD) =>
  acceptInvitation(publicContext(db), { token, password });
const open = (token: string) => openInvitation(publicContext(db), token);
const signIn = (email: string, password: string) =>
  checkPassword(db, { email, password, client: "192.0.2.1", device: null });
const audits = async (email: string) => [
  ...(await db.sql<{ actor: string; action: string; detail: object }[]>`
    select actor, action, detail from audit_log where target = ${`staff:${email}`} order by id`),
];
const own = (email: string) => ({
  ...staffContext(db, email),
  staff: { email, role: "viewer" as const, sessionId: randomUUID() },
  clientAddress: "192.0.2.1",
});

/** Requests a reset, and waits for the work after the reply. */
async function ask(email: string, client = "192.0.2.1"): Promise<void> {
  const later: Promise<void>[] = [];
  await requestReset({ ...publicContext(db, client), later: (work) => later.push(work()) }, { email });
  await Promise.all(later);
}
const tokenIn = (text: string | null) => /welcome#([\w-]+)/.exec(text!)![1]!;
const epochOf = async (email: string) => (await storedPerson(db, email)).session_epoch;
const refuseMail = () =>
  sink.refuseWith((command) => (command.startsWith("RCPT") ? "550 5.1.1 No such mailbox" : undefined));

test("an invitation adds a person who sets a password through the link and signs in with the role; it is stored as a hash only, and works once", async () => {
  const email = "new@example.com";
  const link = await invitePerson(staffContext(db, "root@example.com"), { email, role: "operator" });
  const hours = (Date.parse(link.expiresAt) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(71.9);
  expect(hours).toBeLessThanOrEqual(72.01);
  const kept = await db.sql`select encode(token_hash, 'escape') as text from staff_invitations`;
  expect(JSON.stringify(kept)).not.toContain(link.token);
  expect(await signIn(email, PASSWORD)).toBeNull();
  expect(await open(link.token)).toMatchObject({ email, role: "operator" });
  const outcomes = await Promise.allSettled([PASSWORD, NEW].map((password) => accept(link.token, password)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [used] = await db.sql.unsafe<[{ text: string }]>(
    `select ${minute("at")} from audit_log where action = 'staff.accept' and target = 'staff:${email}'`,
  );
  for (const again of [() => accept(link.token, NEW), () => open(link.token)])
    expect((await refusalOf(again())).message).toBe(
      `${LATE}${used.text}. Sign in with the password that was set through it.`,
    );
  const winner = outcomes[0]!.status === "fulfilled" ? PASSWORD : NEW;
  expect(await signIn("New@example.com", winner)).toMatchObject({ email, epoch: 1 });
  expect((await storedPerson(db, email)).last_sign_in_at).not.toBeNull();
  expect(await audits(email)).toMatchObject([
    { actor: "staff:root@example.com", action: "staff.invite", detail: { role: "operator" } },
    { actor: `staff:${email}`, action: "staff.accept" },
  ]);
});

test("a link that was used before that was stored says only that it was used", async () => {
  const { personId } = await invitePerson(staffContext(db), { email: "old@example.com", role: "viewer" });
  const { token } = await renewLink(staffContext(db), { personId });
  await accept(token);
  await db.sql`update staff_invitations set used_at = null where staff_id = ${personId}`;
  expect((await refusalOf(open(token))).message).toContain("This link was already used.");
});

test("an invitation expires and says when, and one for an existing email is refused and changes nothing", async () => {
  const link = await invitePerson(staffContext(db), { email: "late@example.com", role: "viewer" });
  const [expired] = await db.sql.unsafe<[{ text: string }]>(
    `update staff_invitations set expires_at = now() - interval '1 second'
     where staff_id = '${link.personId}' returning ${minute("expires_at")}`,
  );
  for (const late of [open, accept])
    expect((await refusalOf(late(link.token))).message).toBe(
      `This link expired on ${expired.text}. Ask an admin for a new one.`,
    );
  expect((await storedPerson(db, "late@example.com")).password_hash).toBeNull();
  await newPerson(db, { email: "known@example.com", role: "viewer" });
  const refused = invitePerson(staffContext(db), { email: "known@example.com", role: "admin" });
  expect((await refusalOf(refused)).options.errors).toMatchObject([{ pointer: "/email" }]);
  expect(await storedPerson(db, "known@example.com")).toMatchObject({ role: "viewer" });
  expect(await audits("known@example.com")).toEqual([]);
});

test("a new link revokes the older one, keeps the old password until it is used, and then ends every session", async () => {
  const email = "lost@example.com";
  const { id: personId } = await newPerson(db, { email, role: "viewer", password: PASSWORD });
  const first = await renewLink(staffContext(db), { personId });
  const second = await renewLink(staffContext(db), { personId });
  await refusalOf(open(first.token));
  expect(await signIn(email, PASSWORD)).toMatchObject({ epoch: 0 });
  await accept(second.token, NEW);
  expect(await signIn(email, PASSWORD)).toBeNull();
  expect(await signIn(email, NEW)).toMatchObject({ epoch: 1 });
  const actions = (await audits(email)).map(({ action }) => action);
  expect(actions).toEqual(["staff.link", "staff.link", "staff.accept"]);
});

test("a common password is refused by an invitation, a password change and the command line, with the field and a way out", async () => {
  const common = "password1234";
  const email = "choosing@example.com";
  await newPerson(db, { email, role: "viewer", password: PASSWORD });
  const { token } = await invitePerson(staffContext(db), { email: "chooses@example.com", role: "viewer" });
  const { password_hash: before } = await storedPerson(db, email);
  const made = { email: "made@example.com", role: "admin", password: common } as const;
  const passwords = { oldPassword: PASSWORD, newPassword: common };
  for (const [pointer, attempt] of [
    ["/password", () => accept(token, common)],
    ["/newPassword", () => changeOwnPassword(own(email), passwords)],
    ["/password", () => createStaff(staffContext(db), made)],
  ] as const) {
    const refused = await refusalOf(attempt());
    // A form shows only the field's words.
    const errors = [{ pointer, detail: expect.stringContaining("Choose another one") }];
    expect(refused).toMatchObject({ code: "validation_failed", options: { errors } });
    expect(refused.message).toContain("Choose another one");
  }
  expect((await storedPerson(db, email)).password_hash).toBe(before);
  // The link is not used up.
  await open(token);
});

test("a new password can be set with the old one, and every session ends; a wrong old one changes nothing, names the field, and is rate-limited", async () => {
  const email = "a@example.com";
  await newPerson(db, { email, role: "viewer", password: PASSWORD });
  const change = (oldPassword: string) => changeOwnPassword(own(email), { oldPassword, newPassword: NEW });
  for (let guess = 0; guess < FAILURES_MAX; guess++)
    expect((await refusalOf(change("a guess"))).options.errors).toMatchObject([{ pointer: "/oldPassword" }]);
  expect(await refusalOf(change("a guess"))).toMatchObject({ code: "rate_limited" });
  expect(await epochOf(email)).toBe(0);
  await db.sql`truncate rate_limits`;
  await change(PASSWORD);
  expect(await epochOf(email)).toBe(1);
  expect([await signIn(email, PASSWORD), await signIn(email, NEW)]).toEqual([null, expect.anything()]);
  expect(await audits(email)).toEqual([{ actor: `staff:${email}`, action: "staff.password", detail: {} }]);
  await newPerson(db, { email: "oidc-only@example.com", role: "viewer" });
  const without = changeOwnPassword(own("oidc-only@example.com"), {
    oldPassword: PASSWORD,
    newPassword: NEW,
  });
  expect((await refusalOf(without)).message).toContain("Ask an admin for a link");
});

test("a password reset arrives by email, works once, and ends all sessions of the person", async () => {
  const email = "forgetful@example.com";
  await newPerson(db, { email, role: "viewer", password: PASSWORD });
  await ask(email);
  const [mail] = sink.mails;
  expect(mail).toMatchObject({ to: [email], subject: "Reset your password for points.example.com" });
  expect(mail!.text).toContain("https://points.example.com/welcome#");
  const token = tokenIn(mail!.text);
  const minutes = (Date.parse((await open(token)).expiresAt) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(55);
  expect(minutes).toBeLessThanOrEqual(60);
  await ask(email);
  const later = tokenIn(sink.mails[1]!.text);
  const before = await epochOf(email);
  await accept(later, NEW);
  expect(await epochOf(email)).toBe(before + 1);
  await expect(accept(token, PASSWORD)).rejects.toThrow("A newer link replaced this one");
  await expect(accept(later, PASSWORD)).rejects.toThrow(LATE);
  expect((await audits(email)).map(({ actor, action }) => [actor, action])).toEqual([
    ["sign-in", "staff.reset"],
    ["sign-in", "staff.reset"],
    [`staff:${email}`, "staff.accept"],
  ]);
});

test("a password reset is answered before anything that depends on the email is done, for known and unknown ones", async () => {
  await newPerson(db, { email: "reset@example.com", role: "viewer", password: PASSWORD });
  for (const email of ["reset@example.com", "unknown@example.com"]) {
    const later: (() => Promise<void>)[] = [];
    const before = await db.sql`select count(*) from staff_invitations`;
    const asked = { ...publicContext(db), later: (work: () => Promise<void>) => later.push(work) };
    expect(await requestReset(asked, { email })).toBeUndefined();
    expect(await db.sql`select count(*) from staff_invitations`).toEqual(before);
    expect(later).toHaveLength(1);
  }
  expect(sink.mails).toEqual([]);
});

test("a password reset sends nothing to strangers, disabled people, and people without a password", async () => {
  const gone = await newPerson(db, { email: "gone@example.com", role: "viewer", password: PASSWORD });
  await db.sql`update staff set disabled_at = now() where id = ${gone.id}`;
  await newPerson(db, { email: "oidc@example.com", role: "viewer" });
  await invitePerson(staffContext(db), { email: "invited@example.com", role: "viewer" });
  for (const who of ["gone", "oidc", "invited", "stranger"]) await ask(`${who}@example.com`);
  expect(sink.mails).toEqual([]);
});

test("a password reset is sent to a person at most three times an hour, however many ask at the same time and from where, and is limited per client address", async () => {
  await newPerson(db, { email: "bombed@example.com", role: "viewer", password: PASSWORD });
  await times(8, (place) => ask("bombed@example.com", `192.0.2.${place + 10}`));
  expect(sink.mails).toHaveLength(3);
  for (let count = 0; count < 10 * FAILURES_MAX; count++)
    await ask(`person-${count}@example.com`, "192.0.2.99");
  await expect(ask("person-last@example.com", "192.0.2.99")).rejects.toThrow(/Retry in \d+ seconds/);
  await ask("person-last@example.com", "192.0.2.98");
});

test("an admin's link is sent to the person, and the reply has the mail server's answer; a reset does not end it, and does not show in the list of team members", async () => {
  const email = "mailed@example.com";
  const { staff } = callerOf(db, "admin");
  const link = await staff.invite({ email, role: "viewer" });
  expect(link.mailed).toEqual({ isSent: true, answer: "250 2.0.0 OK: queued as SINK" });
  expect(sink.mails).toMatchObject([
    { to: [email], subject: "You are invited to the staff console on points.example.com" },
  ]);
  for (const part of [link.url!, "admin@example.com invited you"])
    expect(sink.mails[0]!.text).toContain(part);
  await accept(tokenIn(link.url));
  const linkShown = async () =>
    (await callerOf(db, "viewer").staff.list()).find((person) => person.email === email)!.linkExpiresAt;
  await ask(email);
  expect(await linkShown()).toBeNull();
  const renewed = await staff.newLink({ personId: link.personId });
  expect(sink.mails[2]).toMatchObject({ subject: "Set a new password for points.example.com" });
  expect(sink.mails[2]!.text).toContain(renewed.url!);
  await ask(email);
  await open(tokenIn(renewed.url));
  expect(await linkShown()).toBe(renewed.expiresAt);
});

test("an admin's link that cannot be sent is still there to copy, with what the mail server answered", async () => {
  refuseMail();
  const link = await callerOf(db, "admin").staff.invite({ email: "bounced@example.com", role: "viewer" });
  expect(link.mailed).toEqual({ isSent: false, answer: "550 5.1.1 No such mailbox" });
  expect(link.url).toMatch(/^https:\/\/points\.example\.com\/welcome#[\w-]{43}$/);
  await open(tokenIn(link.url));
});

test("an admin's link goes by mail only while an approval rule is in force, and then gives nobody else the account", async () => {
  await setRule(db, wallet(0xee), { threshold: "1" });
  const email = "second@example.com";
  const { id: personId } = await newPerson(db, { email, role: "admin", password: PASSWORD });
  const { staff } = callerOf(db, "admin");
  expect(await staff.newLink({ personId })).toMatchObject({ url: null, mailed: { isSent: true } });
  refuseMail();
  const bounced = await staff.invite({ email: "nowhere@example.com", role: "admin" });
  expect(bounced).toMatchObject({ url: null, mailed: { isSent: false } });
  const obstacle = (of: string) => secondPersonObstacle(db.sql, `staff:${of}`, "token:any");
  expect(await obstacle(email)).toBeUndefined();
  expect(await obstacle("nowhere@example.com")).toContain("not confirmed");
  await db.sql`truncate approval_rules`;
});
