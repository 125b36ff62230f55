const WORDS: Record<string, string> = {
  CredentialsSignin: "The e-mail or the password is not right.",
  unavailable: "The service is away for a moment. Try again in a minute.",
  rate_limited: "Too many people sign in at this moment. Wait a few seconds, then try again.",
  not_staff: "You are not on the staff of this service, or you were disabled. Ask an admin to invite you.",
  email_not_verified: "Your e-mail is not verified there. Verify it, then try again.",
  AccessDenied: "You may not sign in here. Ask an admin to invite you.",
  OAuthSignin: "That way to sign in is away for a moment. Use your password, or try again in a minute.",
  OAuthCallback: "Signing in there was broken off. Try again.",
  Callback: "Signing in there failed. Try again.",
  SessionRequired: "Sign in first.",
  session_ended: "Your session has ended. Sign in again, and you come back to where you were.",
};
const WAIT = /^wait_(\d{1,5})$/;
const SECONDS_SHOWN_MAX = 90;

/** What a word of a failed sign-in means for people. The word stands in an address, where anybody may write another. */
export function failureWords(word: string): string {
  const seconds = Number(WAIT.exec(word)?.[1] ?? 0);
  if (seconds > 0) return `Too many wrong passwords. Try again in ${duration(seconds)}.`;
  return Object.hasOwn(WORDS, word) ? WORDS[word]! : "Signing in failed. Try again.";
}

function duration(seconds: number): string {
  if (seconds <= SECONDS_SHOWN_MAX) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
