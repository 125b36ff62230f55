import { notFound } from "next/navigation";
import type { LayoutProps } from "@/app/data/page-props";
import { addressError } from "@/terms/address-text";

export default async function RecipientLayout({ params, children }: LayoutProps<"address">) {
  const { address } = await params;
  if (addressError(address)) notFound();
  return children;
}
