import type { ComponentProps } from "react";
import { ISSUANCE_LABELS, TYPE_LABELS } from "@/app/(console)/batches/status";
import { Choices, TextField } from "@/app/ui/fields";
import type { Issuance } from "@/server/contracts/change-contract";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";

const OPTIONS = [
  {
    value: "ON_DEMAND",
    label: ISSUANCE_LABELS.ON_DEMAND,
    hint: "Missing points are issued when a batch is submitted, so no batch is rejected for lack of points.",
  },
  {
    value: "PREFUNDED",
    label: ISSUANCE_LABELS.PREFUNDED,
    hint:
      "The contract can send only points that it was granted or received. " +
      "Batches that need more are rejected.",
  },
] as const;

export const IssuanceChoice = ({ chosen }: { chosen: Issuance }) => (
  <Choices legend="Issuance" name="issuance" options={OPTIONS} chosen={[chosen]} />
);

export const issuanceOf = (form: FormData): Issuance =>
  form.get("issuance") === "PREFUNDED" ? "PREFUNDED" : "ON_DEMAND";

export const ADDRESS_RULE = "Enter 0x and 40 hex digits. If in mixed case, the checksum must match.";

export const AddressInput = (props: ComponentProps<typeof TextField>) => (
  <TextField placeholder="0x…" spellCheck={false} {...props} className="font-mono text-mono!" />
);

const FIRST_TYPE: PointType = "PHASE2_POINTS";

export const PointTypeChoice = () => (
  <Choices
    legend="Point type"
    name="pointType"
    inline
    options={POINT_TYPES.map((type) => ({ value: type, label: TYPE_LABELS[type] }))}
    chosen={[FIRST_TYPE]}
  />
);

/** What the choice begins with, where nobody has touched the form yet. */
export const pointTypeOf = (form: FormData): PointType =>
  POINT_TYPES.find((type) => type === form.get("pointType")) ?? FIRST_TYPE;

export const AmountInput = (props: ComponentProps<typeof TextField>) => (
  <TextField inputMode="decimal" {...props} className="tabular-nums" />
);
