/** An answer of another server is cut after this many characters. */
export const ANSWER_CHARS_MAX = 300;

/** Without line breaks and other control characters, so that text becomes neither a header nor a second log line. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

/** The shortest secret that is looked for. A shorter one would also match ordinary words. */
const SECRET_CHARS_MIN = 4;

/** An answer to show to people, without the secrets that it may repeat, also in base64 as SMTP sends them. */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const hidden = secrets
    .filter((secret) => secret !== undefined && secret.length >= SECRET_CHARS_MIN)
    .flatMap((secret) => [secret!, Buffer.from(secret!).toString("base64"), encodeURIComponent(secret!)]);
  const shown = hidden.reduce((rest, secret) => rest.replaceAll(secret, "•••"), text);
  return shown.length > ANSWER_CHARS_MAX ? `${shown.slice(0, ANSWER_CHARS_MAX)}…` : shown;
}
