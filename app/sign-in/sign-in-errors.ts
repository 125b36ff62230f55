const MESSAGES: Record<string, string> = {
  CredentialsSignin: "Incorrect email or password.",
  unavailable: "The service is temporarily unavailable. Try again in a minute.",
  rate_limited: "Too many sign-ins at the moment. Wait a few seconds, then try again.",
  not_staff: "You are not a team member, or your account is disabled. Ask an admin for access.",
  email_not_verified: "Your identity provider has not verified your email. Verify it there, then try again.",
  AccessDenied: "You do not have access. Ask an admin to invite you.",
  OAuthSignin: "Single sign-on is temporarily unavailable. Use your password, or try again in a minute.",
  OAuthCallback: "Single sign-on was interrupted. Try again.",
  Callback: "Single sign-on failed. Try again.",
  session_ended: "Your session has ended. Sign in again to return to your page.",
};
const WAIT = /^wait_(\d{1,5})$/;
const SECONDS_SHOWN_MAX = 90;

/** The code comes from the URL, where anyone can put anything: unknown codes are never shown. */
export function failureMessage(code: string): string {
  const seconds = Number(WAIT.exec(code)?.[1] ?? 0);
  if (seconds > 0) return `Too many incorrect passwords. Try again in ${duration(seconds)}.`;
  return Object.hasOwn(MESSAGES, code) ? MESSAGES[code]! : "Sign-in failed. Try again.";
}

function duration(seconds: number): string {
  if (seconds <= SECONDS_SHOWN_MAX) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
