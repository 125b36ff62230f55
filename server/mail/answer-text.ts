/** Another server's answer is truncated to this many characters. */
export const ANSWER_CHARS_MAX = 300;

/** Removes line breaks and other control characters, so that text becomes neither a header nor a second log line. */
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
