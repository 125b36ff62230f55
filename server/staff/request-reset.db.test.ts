import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
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
import { acceptInvitation, invitePerson, openInvitation, requestReset } from "./links";
import { secondPersonObstacle } from "./second-person";

const db = useDatabase();
let sink: MailSink;
beforeAll(async () => {
  sink = await startMailSink();
  vi.stubEnv("PUBLIC_URL", "https://points.example.com");
  vi.stubEnv("SMTP_URL", sink.url);
  vi.stubEnv("MAIL_FROM", "points@example.com");
  vi.stubEnv("PASSWORD_FAILURES_PER_CLIENT", "6");
  vi.stubEnv("PASSWORD_FAILURES_PER_EMAIL", "2");
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

/** Requests a reset, and waits for the work after the reply. */
async function ask(email: string, client = "192.0.2.1"): Promise<void> {
  const later: Promise<void>[] = [];
  await requestReset({ ...publicContext(db, client), later: (work) => later.push(work()) }, { email });
  await Promise.all(later);
}
const tokenIn = (text: string | null) => /welcome#([\w-]+)/.exec(text!)![1]!;
const epochOf = async (email: string) => (await storedPerson(db, email)).session_epoch;

describe("a password reset", () => {
  test("arrives by email, works once, and ends all sessions of the person", async () => {
    const email = "forgetful@example.com";
    await newPerson(db, { email, role: "viewer", password: "the old password is long" });
    await ask(email);
    expect(sink.mails).toMatchObject([
      { to: [email], subject: "Reset your password for points.example.com" },
    ]);
    const { text } = sink.mails[0]!;
    expect(text).toContain("https://points.example.com/welcome#");
    const token = tokenIn(text);
    const { expiresAt } = await openInvitation(publicContext(db), token);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60);
    await ask(email);
    const later = tokenIn(sink.mails[1]!.text);
    await expect(openInvitation(publicContext(db), token)).rejects.toThrow("A newer link replaced this one");
    const before = await epochOf(email);
    await acceptInvitation(publicContext(db), { token: later, password: PASSWORD });
    expect(await epochOf(email)).toBe(before + 1);
    for (const ended of [token, later])
      await expect(
        acceptInvitation(publicContext(db), { token: ended, password: "another long password" }),
      ).rejects.toThrow(ended === later ? "This link was already used" : "A newer link replaced this one");
    const audited =
      await db.sql`select actor, action from audit_log where target = ${`staff:${email}`} order by id`;
    expect([...audited]).toEqual([
      { actor: "sign-in", action: "staff.reset" },
      { actor: "sign-in", action: "staff.reset" },
      { actor: `staff:${email}`, action: "staff.accept" },
    ]);
  });

  test("is answered before anything that depends on the email is done, for known and unknown ones", async () => {
    await newPerson(db, { email: "known@example.com", role: "viewer", password: PASSWORD });
    const answers: unknown[] = [];
    for (const email of ["known@example.com", "unknown@example.com"]) {
      const later: (() => Promise<void>)[] = [];
      const before = await db.sql`select count(*) from staff_invitations`;
      answers.push(
        await requestReset({ ...publicContext(db), later: (work) => later.push(work) }, { email }),
      );
      expect(await db.sql`select count(*) from staff_invitations`).toEqual(before);
      expect(later).toHaveLength(1);
    }
    expect(answers).toEqual([undefined, undefined]);
    expect(sink.mails).toEqual([]);
  });

  test("sends nothing to strangers, disabled people, and people without a password", async () => {
    const gone = await newPerson(db, { email: "gone@example.com", role: "viewer", password: PASSWORD });
    await db.sql`update staff set disabled_at = now() where id = ${gone.id}`;
    await newPerson(db, { email: "oidc@example.com", role: "viewer" });
    await invitePerson(staffContext(db), { email: "invited@example.com", role: "viewer" });
    for (const who of ["gone", "oidc", "invited", "stranger"]) await ask(`${who}@example.com`);
    expect(sink.mails).toEqual([]);
  });

  test("is sent to a person at most three times an hour, however many ask at the same time and from where", async () => {
    await newPerson(db, { email: "bombed@example.com", role: "viewer", password: PASSWORD });
    await times(8, (place) => ask("bombed@example.com", `192.0.2.${place + 10}`));
    expect(sink.mails).toHaveLength(3);
  });

  test("is limited per client address", async () => {
    for (let count = 0; count < 6; count++) await ask(`person-${count}@example.com`, "192.0.2.99");
    await expect(ask("person-7@example.com", "192.0.2.99")).rejects.toThrow(/Retry in \d+ seconds/);
    await ask("person-7@example.com", "192.0.2.98");
  });

  test("does not end an admin's link, and does not show in the list of team members", async () => {
    const email = "linked@example.com";
    const link = await callerOf(db, "admin").staff.invite({ email, role: "viewer" });
    const token = tokenIn(link.url);
    await acceptInvitation(publicContext(db), { token, password: PASSWORD });
    const linkShown = async () =>
      (await callerOf(db, "viewer").staff.list()).find((person) => person.email === email)!.linkExpiresAt;
    await ask(email);
    expect(await linkShown()).toBeNull();
    const { personId } = link;
    const renewed = await callerOf(db, "admin").staff.newLink({ personId });
    await ask(email);
    await openInvitation(publicContext(db), tokenIn(renewed.url));
    expect(await linkShown()).toBe(renewed.expiresAt);
  });
});

describe("an admin's link", () => {
  test("is sent to the person, and the reply has the mail server's answer", async () => {
    const link = await callerOf(db, "admin").staff.invite({ email: "mailed@example.com", role: "viewer" });
    expect(link.mailed).toEqual({ isSent: true, answer: "250 2.0.0 OK: queued as SINK" });
    expect(sink.mails).toMatchObject([
      { to: ["mailed@example.com"], subject: "You are invited to the staff console on points.example.com" },
    ]);
    expect(sink.mails[0]!.text).toContain(link.url!);
    expect(sink.mails[0]!.text).toContain("admin@example.com invited you");
    const { personId } = link;
    const renewed = await callerOf(db, "admin").staff.newLink({ personId });
    expect(sink.mails[1]).toMatchObject({ subject: "Set a new password for points.example.com" });
    expect(sink.mails[1]!.text).toContain(renewed.url!);
  });

  test("that cannot be sent is still there to copy, with what the mail server answered", async () => {
    sink.refuseWith((command) => (command.startsWith("RCPT") ? "550 5.1.1 No such mailbox" : undefined));
    const link = await callerOf(db, "admin").staff.invite({ email: "bounced@example.com", role: "viewer" });
    expect(link.mailed).toEqual({ isSent: false, answer: "550 5.1.1 No such mailbox" });
    expect(link.url).toMatch(/^https:\/\/points\.example\.com\/welcome#[\w-]{43}$/);
    await openInvitation(publicContext(db), tokenIn(link.url));
  });

  test("goes by mail only while an approval rule is in force, and then gives nobody else the account", async () => {
    await setRule(db, wallet(0xee), { threshold: "1" });
    const { id: personId } = await newPerson(db, {
      email: "second@example.com",
      role: "admin",
      password: PASSWORD,
    });
    const admin = callerOf(db, "admin").staff;
    expect(await admin.newLink({ personId })).toMatchObject({ url: null, mailed: { isSent: true } });
    sink.refuseWith((command) => (command.startsWith("RCPT") ? "550 5.1.1 No such mailbox" : undefined));
    const bounced = await admin.invite({ email: "nowhere@example.com", role: "admin" });
    expect(bounced).toMatchObject({ url: null, mailed: { isSent: false } });
    const obstacle = (email: string) => secondPersonObstacle(db.sql, `staff:${email}`, "token:any");
    expect(await obstacle("second@example.com")).toBeUndefined();
    expect(await obstacle("nowhere@example.com")).toContain("not confirmed");
    await db.sql`truncate approval_rules`;
  });
});
