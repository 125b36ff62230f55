import { expect, test } from "vitest";
import { failureMessage } from "./sign-in-errors";

test.each([
  ["wait_1", "Too many incorrect passwords. Try again in 1 second."],
  ["wait_45", "Too many incorrect passwords. Try again in 45 seconds."],
  ["wait_541", "Too many incorrect passwords. Try again in 10 minutes."],
  ["session_ended", "Your session has ended. Sign in again to return to your page."],
  ["CredentialsSignin", "Incorrect email or password."],
])("%s has a message", (code, message) => {
  expect(failureMessage(code)).toBe(message);
});

test.each(["<b>pay here</b>", "toString", "__proto__", "wait_", "wait_-5", "wait_1e9", "wait_0", ""])(
  "an unknown code is never shown: %j",
  (code) => {
    expect(failureMessage(code)).toBe("Sign-in failed. Try again.");
  },
);
