import type { Issuance } from "@/server/contracts/register-contract";
import { Choices } from "../../ui/choices";

export const ISSUANCE_LABELS = { ON_DEMAND: "On demand", PREFUNDED: "Prefunded" } as const satisfies Record<
  Issuance,
  string
>;

const OPTIONS = [
  {
    value: "ON_DEMAND",
    label: ISSUANCE_LABELS.ON_DEMAND,
    hint: "Missing points are issued when a batch is submitted, so no batch is rejected for lack of points.",
  },
  {
    value: "PREFUNDED",
    label: ISSUANCE_LABELS.PREFUNDED,
    hint: "The contract can send only points that it was granted or received. Batches that need more are rejected.",
  },
] as const;

export const IssuanceChoice = ({ chosen }: { chosen: Issuance }) => (
  <Choices legend="Issuance" name="issuance" kind="radio" options={OPTIONS} chosen={[chosen]} />
);

export const issuanceOf = (form: FormData): Issuance =>
  form.get("issuance") === "PREFUNDED" ? "PREFUNDED" : "ON_DEMAND";
