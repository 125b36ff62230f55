import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The pages for callers by their path below `/docs`, in order. Others are for those who run the service. */
export const GUIDES = {
  "pay-many": ["Pay many recipients", "Pay a file of any length, in batches that are safe to repeat."],
  api: ["Every call, with curl", "Check, submit, watch, list and cancel; balances, digests, signing in."],
  retries: ["Errors and retries", "What each error asks you to do, and what is safe to repeat."],
  webhooks: ["Webhooks", "What is sent, how to verify it, and what happens while your receiver is down."],
  "going-live": ["Going live", "What to check before you move real points."],
  client: ["TypeScript client", "The typed client: IDs, retries, paging, waiting, signing in."],
  verify: ["Check a receipt", "Prove a transfer against a published root, in Node, Python or Solidity."],
  statements: ["Reconcile a month", "A month's balances, what came in and what went out."],
  snapshots: ["Who holds what", "Freeze the list of holders, see how points are spread, and check the list."],
  claims: [
    "From points to tokens",
    "Freeze who holds what, share tokens, hand over the list, prove a claim.",
  ],
  reversals: ["Take back a batch", "Take back a finalized batch, whole or for some of its recipients."],
  books: ["Check the books", "Public totals of all points."],
  migrate: ["Move from the earlier service", "What works as before, and what is different."],
} as const satisfies Record<string, readonly [title: string, about: string]>;

export type GuideName = keyof typeof GUIDES;

export const GUIDE_NAMES = Object.keys(GUIDES) as GuideName[];

export const isGuide = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);

export const fileOf = (name: GuideName) => (name === "client" ? "client/README.md" : `docs/${name}.md`);

/** The guide as Markdown. The build keeps the files beside the program (next.config.mjs). */
export const readGuide = (name: GuideName) =>
  readFileSync(join(/* turbopackIgnore: true */ process.cwd(), fileOf(name)), "utf8");
