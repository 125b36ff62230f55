import { isIP } from "node:net";
import { getSystemErrorName } from "node:util";
import { type Settings, settings } from "@/server/kernel/settings";

/** Another server's answer is truncated to this many characters. */
export const ANSWER_CHARS_MAX = 300;

/** Without line breaks and control characters, text becomes neither a header nor a second log line. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

/** The shortest secret to look for. A shorter one would also match ordinary words. */
const SECRET_CHARS_MIN = 4;

/** An answer to show to people, without secrets that it may repeat, also encoded as in SMTP and URLs. */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const hidden = secrets
    .filter((secret) => secret !== undefined && secret.length >= SECRET_CHARS_MIN)
    .flatMap((secret) => [secret!, Buffer.from(secret!).toString("base64"), encodeURIComponent(secret!)]);
  const shown = hidden.reduce((rest, secret) => rest.replaceAll(secret, "•••"), text);
  return shown.length > ANSWER_CHARS_MAX ? `${shown.slice(0, ANSWER_CHARS_MAX)}…` : shown;
}

/** For connecting, signing in and handing over one mail. The cron route's reply has this much left. */
const SECONDS_MAX = 12;
const STEP_MS_MAX = 8_000;

export interface Mail {
  to: readonly string[];
  subject: string;
  /** Plain text. There is no HTML, so nothing in it can be markup. */
  text: string;
}

/** Of a mail or an alert. */
export interface SentOutcome {
  isSent: boolean;
  /** What the other side answered, or why it did not. One line, without secrets. */
  answer: string;
}

export type MailSettings = Pick<Settings, "SMTP_URL" | "MAIL_FROM">;

export const mailIsOn = ({ SMTP_URL, MAIL_FROM }: MailSettings = settings()) =>
  SMTP_URL !== undefined && MAIL_FROM !== undefined;

export async function sendMail(mail: Mail, given: MailSettings = settings()): Promise<SentOutcome> {
  const { SMTP_URL, MAIL_FROM } = given;
  if (!SMTP_URL || !MAIL_FROM) return { isSent: false, answer: "SMTP_URL is not set." };
  const server = readServer(SMTP_URL);
  // Loaded with the first mail.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    ...server,
    connectionTimeout: STEP_MS_MAX,
    greetingTimeout: STEP_MS_MAX,
    // Not shorter than the whole time limit, after which the outcome says that the mail may still arrive.
    socketTimeout: SECONDS_MAX * 1000,
    dnsTimeout: STEP_MS_MAX,
    // A mail contains only the given text.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { user, pass } = server.auth ?? {};
  // Together as AUTH PLAIN sends them.
  const secrets = [user, pass, user && `\0${user}\0${pass}`];
  const shown = (text: string) => withoutSecrets(oneLine(text), secrets);
  // Closes the connection, so that a mail reported as not sent is not sent later, unless its text was.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), SECONDS_MAX * 1000);
  return await transport
    .sendMail({
      signal: late.signal,
      from: MAIL_FROM,
      // As objects, so that no address is parsed as a list.
      to: mail.to.map((address) => ({ name: "", address })),
      subject: oneLine(mail.subject),
      text: mail.text,
      // Asks automatic replies not to answer (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated" },
    })
    .then(
      ({ response, rejected }): SentOutcome =>
        rejected.length === 0
          ? { isSent: true, answer: shown(response) }
          : {
              isSent: false,
              answer: shown(`${response} Refused: ${rejected.length} of ${mail.to.length} addresses.`),
            },
      (error: unknown): SentOutcome => ({
        isSent: false,
        answer: late.signal.aborted
          ? `No answer within ${SECONDS_MAX} s; it may still arrive.`
          : shown(failureText(error)),
      }),
    )
    .finally(() => {
      clearTimeout(timer);
      transport.close();
    });
}

/**
 * Options of the connection. A password is sent only over an encrypted connection, except to this machine,
 * whose relay often has a certificate that it made itself.
 */
export function readServer(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const auth = username
    ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
    : undefined;
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: auth !== undefined && !secure && !isThisMachine(host),
    tls: { rejectUnauthorized: !isThisMachine(host) },
    ...(auth && { auth }),
  };
}

/** Host and port of a mail server's URL, to show to people. */
export const mailHost = (url: string): string => {
  const { host, port } = readServer(url);
  return `${host}:${port}`;
};

const isThisMachine = (host: string) =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

const MESSAGES: Record<string, string> = {
  EDNS: "The host name could not be looked up.",
  ENOTFOUND: "The host name does not exist.",
  ETIMEDOUT:
    "The mail server did not respond. If its port starts with TLS, as 465 does, use smtps:// in SMTP_URL.",
  ECONNECTION: "The connection was closed.",
  ECONNREFUSED: "The host refused the connection.",
  ESOCKET: "The host could not be reached.",
  ETLS: "The mail server does not offer encryption (STARTTLS), and the password is not sent without it.",
};

/** What is wrong with a certificate, by the code of OpenSSL or Node. */
const CERTIFICATE_REMEDIES: [code: RegExp, remedy: string][] = [
  [/^ERR_TLS_CERT_ALTNAME/, "Use a host name of the certificate in SMTP_URL."],
  [/^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/, "Set NODE_EXTRA_CA_CERTS to the file of its CA, and restart."],
  [/^CERT_/, "Replace the certificate."],
];

/** The server's own answer if there is one. Other messages of the library are not shown. */
export function failureText(error: unknown): string {
  const { response, code = "", errno, originalCode, message } = error as Failure;
  if (response) return response;
  // The library replaces a connection error's code with its own, but keeps the original and the number.
  const name = originalCode ?? (typeof errno === "number" && errno < 0 ? getSystemErrorName(errno) : code);
  const remedy = CERTIFICATE_REMEDIES.find(([pattern]) => pattern.test(name))?.[1];
  if (remedy) return `The mail server's certificate was rejected: ${message.replace(/\.$/, "")}. ${remedy}`;
  if (name === "ERR_SSL_WRONG_VERSION_NUMBER")
    return "The mail server's port does not start with TLS. Use smtp:// in SMTP_URL, or its port for TLS.";
  if (/SSL|TLS_|EPROTO/.test(name)) return `TLS with the mail server failed (${name}).`;
  return MESSAGES[name] ?? MESSAGES[code] ?? "The mail could not be sent.";
}

type Failure = NodeJS.ErrnoException & { response?: string; originalCode?: string };
