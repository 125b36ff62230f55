import type { Issuance } from "@/server/contracts/register-contract";

export const ISSUANCE_WORDS = { ON_DEMAND: "On demand", PREFUNDED: "Prefunded" } as const satisfies Record<
  Issuance,
  string
>;

/** The two ways, as dialogs explain them. */
export const ISSUANCE_CHOICES = [
  {
    value: "ON_DEMAND",
    label: ISSUANCE_WORDS.ON_DEMAND,
    hint: "What a batch lacks is issued when it is submitted: a valid batch is never refused for points.",
  },
  {
    value: "PREFUNDED",
    label: ISSUANCE_WORDS.PREFUNDED,
    hint: "It sends only what it was granted or received: a batch beyond that is refused.",
  },
] as const;
