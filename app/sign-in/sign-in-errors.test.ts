import { expect, test } from "vitest";
import { failureMessage } from "./sign-in-errors";

test("only a known code has a message, and the text of an unknown one is never shown", () => {
  for (const [code, message] of [
    ["wait_1", "Too many incorrect passwords. Try again in 1 second."],
    ["wait_541", "Too many incorrect passwords. Try again in 10 minutes."],
    ["session_ended", "Your session has ended. Sign in again to return to your page."],
    ["CredentialsSignin", "Incorrect email or password."],
  ] as const)
    expect(failureMessage(code)).toBe(message);
  for (const code of [
    "<b>pay here</b>",
    "toString",
    "__proto__",
    "wait_",
    "wait_-5",
    "wait_1e9",
    "wait_0",
    "",
  ])
    expect(failureMessage(code), code).toBe("Sign-in failed. Try again.");
});
