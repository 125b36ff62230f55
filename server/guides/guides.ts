import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Guide {
  file: string;
  title: string;
  /** One line, for llms.txt and the page's description. */
  about: string;
}

/**
 * The pages for callers, by their path below `/docs`, in the order of the navigation. The other pages of `docs/` are for
 * people who run the service. `quick-start` and `errors` are pages of their own.
 */
export const GUIDES = {
  "pay-many": {
    file: "docs/pay-many.md",
    title: "Pay many recipients",
    about: "Pay a file of any length, in batches that are safe to repeat.",
  },
  api: {
    file: "docs/api.md",
    title: "Every call, with curl",
    about:
      "Check, submit, watch, list and cancel batches; balances, forecasts, digests, signing in with a wallet.",
  },
  retries: {
    file: "docs/retries.md",
    title: "Errors and retries",
    about: "What each error asks you to do, and what is safe to repeat.",
  },
  webhooks: {
    file: "docs/webhooks.md",
    title: "Webhooks",
    about: "What is sent, how to verify it, and what happens while your receiver is down.",
  },
  "going-live": {
    file: "docs/going-live.md",
    title: "Going live",
    about: "What to check before you move real points.",
  },
  client: {
    file: "client/README.md",
    title: "TypeScript client",
    about: "The typed client: IDs, retries, paging, waiting, signing in.",
  },
  verify: {
    file: "docs/verify.md",
    title: "Check a receipt",
    about: "Prove a transfer against a published root, in Node, Python or Solidity.",
  },
  statements: {
    file: "docs/statements.md",
    title: "Reconcile a month",
    about: "A month's opening and closing balance, what came in and what went out.",
  },
  reversals: {
    file: "docs/reversals.md",
    title: "Take back a batch",
    about: "Take back a finalized batch, whole or for some of its recipients.",
  },
  books: {
    file: "docs/books.md",
    title: "Check the books",
    about: "Public totals of all points, and a daily hash chain.",
  },
  migrate: {
    file: "docs/migrate.md",
    title: "Move from the earlier service",
    about: "What works as before, and what is different.",
  },
} as const satisfies Record<string, Guide>;

export type GuideName = keyof typeof GUIDES;

export const GUIDE_NAMES = Object.keys(GUIDES) as GuideName[];

export const isGuide = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);

const texts = new Map<GuideName, string>();

/** The guide as Markdown. The build keeps the files beside the program (next.config.mjs). */
export function readGuide(name: GuideName): string {
  const text =
    texts.get(name) ??
    readFileSync(join(/* turbopackIgnore: true */ process.cwd(), GUIDES[name].file), "utf8");
  if (process.env.NODE_ENV === "production") texts.set(name, text);
  return text;
}
