/** The groups of operations, in the document's order. Each has a page of the reference. */
export const GROUPS = [
  { name: "Batches", description: "Submit, list, retrieve and cancel batches of transfers." },
  { name: "Payouts", description: "All batches of one payout together: its state, its sums, and its end." },
  {
    name: "Receipts",
    description:
      "Proofs that a finalized batch has a transfer, which anyone can check against the batch's root.",
  },
  { name: "Balances", description: "Points that a contract has available, reserved and sent." },
  {
    name: "Webhooks",
    description:
      "Get notified about a contract's batches. " +
      "Deliveries are signed and retried, and can arrive in any order.",
  },
  {
    name: "Requests",
    description: "What the service answered: every refused write, and a sample of other requests.",
  },
  {
    name: "Snapshots",
    description: "Who holds a contract's points at an instant: complete, never changed, with a digest.",
  },
  {
    name: "Allocations",
    description: "What addresses can claim of a token, for anyone: published amounts with Merkle proofs.",
  },
  { name: "Books", description: "Totals of all points, for anyone. Off by default." },
  { name: "Operator sign-in", description: "Exchange the signature of a contract's operator for a token." },
];

/** The path of a group's page: `/docs/reference/operator-sign-in`. */
export const groupPath = (group: string): string =>
  `/docs/reference/${group.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
