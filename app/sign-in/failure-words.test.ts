import { expect, test } from "vitest";
import { failureWords } from "./failure-words";

test.each([
  ["wait_1", "Too many wrong passwords. Try again in 1 second."],
  ["wait_45", "Too many wrong passwords. Try again in 45 seconds."],
  ["wait_541", "Too many wrong passwords. Try again in 10 minutes."],
  ["session_ended", "Your session has ended. Sign in again, and you come back to where you were."],
  ["CredentialsSignin", "The e-mail or the password is not right."],
])("%s is told in words", (word, words) => {
  expect(failureWords(word)).toBe(words);
});

test.each(["<b>pay here</b>", "toString", "__proto__", "wait_", "wait_-5", "wait_1e9", "wait_0", ""])(
  "a word that nobody here wrote, %j, is not repeated",
  (word) => {
    expect(failureWords(word)).toBe("Signing in failed. Try again.");
  },
);
