import { counted } from "@/app/ui/amount";
import { shortenHash } from "@/app/ui/hash-text";

/** `1 batch`, `1,204 batches`. */
export const batchesOf = (count: number) => counted(count, "batch", "batches");

export const transfersOf = (count: number) => counted(count, "transfer", "transfers");

/** A team member by email; any other caller by kind and name, as `token:backend`. */
export const personName = (caller: string) => caller.replace(/^staff:/, "");

/** As the filter shows who submitted a batch. @param own the user's email */
export function submitterName(submitter: string, own: string): string {
  const [, kind, name = ""] = /^(token|operator|staff):(.*)$/s.exec(submitter) ?? [];
  if (kind === "operator") return `operator ${shortenHash(name)}`;
  if (kind === "token") return `token “${name}”`;
  if (kind === "staff") return name === own ? `${name} (you)` : name;
  return "Command line";
}
