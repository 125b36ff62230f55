import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkPassword } from "@/server/auth/passwords";
import { refusalOf } from "@/testing/expectations";
import { newPerson, publicContext, staffContext, storedPerson } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { acceptInvitation, invitePerson, openInvitation, renewLink } from "./links";

const db = useDatabase();
beforeAll(() => {
  vi.stubEnv("PASSWORD_FAILURES_PER_CLIENT", "0");
  vi.stubEnv("PASSWORD_FAILURES_PER_EMAIL", "0");
});
afterAll(() => vi.unstubAllEnvs());

const PASSWORD = "a password that is long";
const audits = (email: string) =>
  db.sql<{ actor: string; action: string; detail: object; request_id: string }[]>`
    select actor, action, detail, request_id from audit_log where target = ${`staff:${email}`} order by id`;
const signIn = (email: string, password: string) =>
  checkPassword(db, { email, password, client: "192.0.2.1", device: null });

describe("an invitation", () => {
  test("adds a person who sets a password through the link and signs in with the role", async () => {
    const admin = staffContext(db, "root@example.com");
    const link = await invitePerson(admin, { email: "new@example.com", role: "operator" });
    const hours = (Date.parse(link.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(71.9);
    expect(hours).toBeLessThanOrEqual(72.01);
    expect(await signIn("new@example.com", PASSWORD)).toBeNull();
    expect(await openInvitation(publicContext(db), link.token)).toMatchObject({
      email: "new@example.com",
      role: "operator",
    });
    await acceptInvitation(publicContext(db), { token: link.token, password: PASSWORD });
    expect(await signIn("New@example.com", PASSWORD)).toMatchObject({ email: "new@example.com", epoch: 1 });
    expect((await storedPerson(db, "new@example.com")).last_sign_in_at).not.toBeNull();
    expect(await audits("new@example.com")).toMatchObject([
      { actor: "staff:root@example.com", action: "staff.invite", detail: { role: "operator" } },
      { actor: "staff:new@example.com", action: "staff.accept" },
    ]);
  });

  test("is stored as a hash only, and works once", async () => {
    const link = await invitePerson(staffContext(db), { email: "once@example.com", role: "viewer" });
    const kept = await db.sql`select encode(token_hash, 'escape') as text from staff_invitations`;
    expect(JSON.stringify(kept)).not.toContain(link.token);
    await acceptInvitation(publicContext(db), { token: link.token, password: PASSWORD });
    const again = acceptInvitation(publicContext(db), { token: link.token, password: "another password" });
    expect((await refusalOf(again)).message).toContain("This link was already used.");
    const opened = openInvitation(publicContext(db), link.token);
    expect((await refusalOf(opened)).message).toContain("This link was already used.");
    expect(await signIn("once@example.com", PASSWORD)).not.toBeNull();
  });

  test("accepted twice at the same time keeps one password", async () => {
    const link = await invitePerson(staffContext(db), { email: "twice@example.com", role: "viewer" });
    const outcomes = await Promise.allSettled(
      ["the first password", "the second password"].map((password) =>
        acceptInvitation(publicContext(db), { token: link.token, password }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const winner = outcomes[0]!.status === "fulfilled" ? "the first password" : "the second password";
    expect(await signIn("twice@example.com", winner)).not.toBeNull();
  });

  test("expires", async () => {
    const link = await invitePerson(staffContext(db), { email: "late@example.com", role: "viewer" });
    await db.sql`update staff_invitations set expires_at = now() - interval '1 second' where staff_id = ${link.personId}`;
    const opened = openInvitation(publicContext(db), link.token);
    expect((await refusalOf(opened)).message).toContain("This link has expired.");
    await refusalOf(acceptInvitation(publicContext(db), { token: link.token, password: PASSWORD }));
    expect((await storedPerson(db, "late@example.com")).password_hash).toBeNull();
  });

  test("for an existing email is refused and changes nothing", async () => {
    await newPerson(db, { email: "known@example.com", role: "viewer" });
    const refused = invitePerson(staffContext(db), { email: "known@example.com", role: "admin" });
    expect((await refusalOf(refused)).options.errors).toMatchObject([{ pointer: "/email" }]);
    expect(await storedPerson(db, "known@example.com")).toMatchObject({ role: "viewer" });
    expect(await audits("known@example.com")).toEqual([]);
  });
});

describe("a new link", () => {
  test("revokes the older one, keeps the old password until it is used, and then ends every session", async () => {
    const person = await newPerson(db, { email: "lost@example.com", role: "viewer", password: PASSWORD });
    const first = await renewLink(staffContext(db), { personId: person.id });
    const second = await renewLink(staffContext(db), { personId: person.id });
    await refusalOf(openInvitation(publicContext(db), first.token));
    expect(await signIn("lost@example.com", PASSWORD)).toMatchObject({ epoch: 0 });
    await acceptInvitation(publicContext(db), { token: second.token, password: "quite another password" });
    expect(await signIn("lost@example.com", PASSWORD)).toBeNull();
    expect(await signIn("lost@example.com", "quite another password")).toMatchObject({ epoch: 1 });
    expect((await audits("lost@example.com")).map(({ action }) => action)).toEqual([
      "staff.link",
      "staff.link",
      "staff.accept",
    ]);
  });
});
