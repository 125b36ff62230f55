import { dictionary } from "@zxcvbn-ts/language-common";
import { DomainError } from "../kernel/values/problems";

/** Digits and symbols that people append to a word to make it longer. */
const APPENDED = /[\d\p{P}\p{S}\s]{1,4}$/u;

let known: Set<string> | undefined;
/** The list has 49,000 passwords, in lower case. */
const isListed = (word: string) => {
  known ??= new Set(dictionary["passwords-common"].map(String));
  return known.has(word);
};

/**
 * Whether guessers try the password first: it is on the list of common ones, a listed one with up to four digits or symbols
 * after it, a short part that repeats, or the person's email.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const whole = password.normalize("NFKC").toLowerCase();
  const [name = ""] = email.toLowerCase().split("@");
  return [whole, whole.replace(APPENDED, "")].some((word) => {
    const part = repeatedPart(word);
    return (
      isListed(word) || word === email.toLowerCase() || word === name || part.length <= 2 || isListed(part)
    );
  });
}

/** `abc` of `abcabcabc`; the whole word if it does not repeat. */
function repeatedPart(word: string): string {
  const length = (word + word).indexOf(word, 1);
  return length > 0 ? word.slice(0, length) : word;
}

/** @throws DomainError `validation_failed` for a password that is easy to guess */
export function refuseCommonPassword(password: string, email: string, pointer = "/password"): void {
  if (!isCommonPassword(password, email)) return;
  throw new DomainError(
    "validation_failed",
    "This password is easy to guess. Choose another one, such as four random words.",
    { errors: [{ pointer, code: "invalid_value", detail: "is on a list of common passwords" }] },
  );
}
