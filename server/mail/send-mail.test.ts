import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type MailSink, startMailSink } from "@/testing/local-servers";
import { failureText, type Mail, type MailSettings, readServer, sendMail } from "./send-mail";

let sink: MailSink;
beforeEach(async () => {
  sink = await startMailSink({ auth: true });
});
afterEach(() => sink.close());

const MAIL_FROM = { name: "Points", address: "points@example.com" };
const given = (credentials = ""): MailSettings => ({
  SMTP_URL: `smtp://${credentials}127.0.0.1:${sink.port}`,
  MAIL_FROM,
});
const mail = (more: Partial<Mail> = {}): Mail => ({
  to: ["ops@example.com"],
  subject: "A subject",
  text: "A text.\n",
  ...more,
});

test("a mail arrives with its sender, recipients, subject and text, and the server's answer is returned", async () => {
  const outcome = await sendMail(
    mail({
      to: ["ops@example.com", "lead@example.com"],
      subject: "Größer • 80 ×",
      text: "• Zeile\n.\nEnde\n",
    }),
    given(),
  );
  expect(outcome).toEqual({ isSent: true, answer: "250 2.0.0 OK: queued as SINK" });
  expect(sink.mails).toMatchObject([
    {
      from: "points@example.com",
      to: ["ops@example.com", "lead@example.com"],
      subject: "Größer • 80 ×",
      text: expect.stringContaining("• Zeile\n.\nEnde"),
    },
  ]);
  expect(sink.mails[0]!.headers).toContain("From: Points <points@example.com>");
  expect(sink.mails[0]!.headers).toContain("Auto-Submitted: auto-generated");
});

test("line breaks in a subject, a text or an address add no header and no recipient", async () => {
  const evil = "x\r\nBcc: evil@example.com\nX-Evil: yes\u2028\u0085z";
  await sendMail(mail({ subject: evil, text: `\r\nBcc: evil@example.com\r\n\r\n${evil}` }), given());
  await sendMail(mail({ to: ["ops@example.com\r\nRCPT TO:<evil@example.com>"] }), given());
  await sendMail(mail({ to: ["ops@example.com, evil@example.com"] }), given());
  expect(sink.mails.length).toBeGreaterThan(0);
  expect(
    sink.mails.flatMap(({ headers }) => headers.filter((line) => /^(?:bcc|x-evil)/i.test(line))),
  ).toEqual([]);
  expect(sink.mails.flatMap(({ to }) => to)).not.toContain("evil@example.com");
  expect(sink.commands.filter((line) => /^RCPT.*<evil/i.test(line))).toEqual([]);
});

test("a mail that is not answered in time may still arrive, and the outcome says so", async () => {
  await sink.close();
  sink = await startMailSink({ isSilent: true });
  // Only these: the socket's own timeouts stay real.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const outcome = sendMail(mail(), given());
    await sink.untilMailed(1);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(await outcome).toEqual({ isSent: false, answer: "No answer within 12 s; it may still arrive." });
  } finally {
    vi.useRealTimers();
  }
  expect(sink.mails).toHaveLength(1);
  // Otherwise a mail that is reported as not sent could be sent afterwards.
  await expect.poll(() => sink.connections()).toBe(0);
});

describe("a refused mail", () => {
  test("never repeats the user name or the password, however the server does", async () => {
    const password = "hunter2-secret";
    const coded = Buffer.from(`\0mail@points\0${password}`).toString("base64");
    sink.refuseWith((command) =>
      command.startsWith("AUTH")
        ? `535 5.7.8 mail@points ${password} ${Buffer.from(password).toString("base64")} ${coded} refused`
        : undefined,
    );
    const { isSent, answer } = await sendMail(
      mail(),
      given(`${encodeURIComponent("mail@points")}:${password}@`),
    );
    expect(isSent).toBe(false);
    expect(answer).toMatch(/^535 5\.7\.8 .*refused$/);
    for (const secret of [password, "mail@points", Buffer.from(password).toString("base64"), coded])
      expect(answer).not.toContain(secret);
  });
});

describe("a password", () => {
  test("is sent only over an encrypted connection, except to this machine", () => {
    expect(readServer("smtp://user:pass@mail.example.com")).toMatchObject({ port: 587, requireTLS: true });
    expect(readServer("smtps://user:pass@mail.example.com")).toMatchObject({ port: 465, secure: true });
    expect(readServer("smtp://mail.example.com:25")).toMatchObject({ port: 25, requireTLS: false });
    for (const host of ["127.0.0.1", "localhost", "[::1]"])
      expect(readServer(`smtp://user:pass@${host}`).requireTLS, host).toBe(false);
    for (const host of ["127.0.0.1.example.com", "localhost.example.com", "[::2]"])
      expect(readServer(`smtp://user:pass@${host}`).requireTLS, host).toBe(true);
  });
});

/** A certificate that its server signed itself, as a relay's installation makes one. */
function ownCertificate() {
  const dir = mkdtempSync(path.join(tmpdir(), "mail-tls-"));
  const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=relay";
  execFileSync("openssl", [...words.split(" "), "-keyout", "key", "-out", "cert"], {
    cwd: dir,
    stdio: "pipe",
  });
  const [key, cert] = ["key", "cert"].map((name) => readFileSync(path.join(dir, name)));
  rmSync(dir, { recursive: true });
  return { key, cert };
}

describe("a certificate", () => {
  test("of the relay's own is accepted from this machine, and from elsewhere refused with the remedy", async () => {
    await sink.close();
    sink = await startMailSink({ tls: ownCertificate() });
    const sendTo = (host: string, port = sink.port) =>
      sendMail(mail(), { SMTP_URL: `smtps://${host}:${port}`, MAIL_FROM });
    expect(await sendTo("127.0.0.1")).toEqual({ isSent: true, answer: "250 2.0.0 OK: queued as SINK" });
    expect(sink.mails).toHaveLength(1);
    // This machine too, but not by its name.
    expect(await sendTo("[::ffff:127.0.0.1]")).toEqual({
      isSent: false,
      answer:
        "The mail server's certificate was rejected: self-signed certificate. Set NODE_EXTRA_CA_CERTS to the file of its CA, and restart.",
    });
    expect(sink.mails).toHaveLength(1);
  });

  test("is not looked for at a port that does not start with TLS", async () => {
    const { answer } = await sendMail(mail(), { SMTP_URL: `smtps://127.0.0.1:${sink.port}`, MAIL_FROM });
    expect(answer).toBe(
      "The mail server's port does not start with TLS. Use smtp:// in SMTP_URL, or its port for TLS.",
    );
  });

  // As Node 20 and OpenSSL 3 report them.
  test.each([
    ["CERT_HAS_EXPIRED", "certificate has expired", "Replace the certificate."],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate", "Set NODE_EXTRA_CA_CERTS"],
    [
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      "unable to get local issuer certificate",
      "Set NODE_EXTRA_CA_CERTS",
    ],
    ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain", "Set NODE_EXTRA_CA_CERTS"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "Hostname/IP does not match certificate's altnames", "Use a host name"],
  ])("that is refused with %s says why, and what to do", (originalCode, message, remedy) => {
    const error = Object.assign(new Error(message), { code: "ESOCKET", originalCode });
    const said = `The mail server's certificate was rejected: ${message}. `;
    expect(failureText(error).slice(0, said.length)).toBe(said);
    expect(failureText(error).slice(said.length)).toContain(remedy);
  });
});
