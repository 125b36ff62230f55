import type { Metadata } from "next";
import { requireStaff } from "../require-staff";
import { FindRecipient } from "./find-recipient";

export const metadata: Metadata = { title: "Recipients" };

export default async function RecipientsPage() {
  await requireStaff("/recipients");
  return (
    <div className="mx-auto flex w-full max-w-[688px] flex-col gap-4 p-4 md:p-6">
      <h1 className="font-semibold text-title">Recipients</h1>
      <p className="text-muted">
        Look up any address to see its received and pending points across all contracts, with sender and date.
      </p>
      <FindRecipient />
    </div>
  );
}
