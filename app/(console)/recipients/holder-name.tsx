import { recipientPath } from "@/app/(console)/paths";
import { HashText } from "@/app/ui/hash-text";

interface HolderNameProps {
  address: string;
  label: string | null;
  form?: "short" | "fit";
  lookalike?: boolean;
}

/** Its page is one click away. A label is shown next to the address, never instead of it. */
export const HolderName = ({ address, label, form, lookalike }: HolderNameProps) => (
  <span className="flex min-w-0 flex-wrap items-center gap-x-2">
    <HashText
      value={address}
      what="address"
      href={recipientPath(address)}
      form={form}
      lookalike={lookalike}
    />
    {label !== null && <span className="wrap-anywhere max-w-48 hint">{label}</span>}
  </span>
);
