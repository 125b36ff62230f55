import { NotFound } from "@/app/ui/states";

export default function RecipientNotFound() {
  return (
    <NotFound title="Invalid address" href="/recipients" link="View recipients">
      An address is 0x followed by 40 hex digits. If it has uppercase letters, its checksum must match, so
      check it for typos.
    </NotFound>
  );
}
