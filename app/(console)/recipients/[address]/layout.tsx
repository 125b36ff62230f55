import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { addressError } from "@/server/kernel/values/address-text";

interface RecipientLayoutProps {
  params: Promise<{ address: string }>;
  children: ReactNode;
}

export default async function RecipientLayout({ params, children }: RecipientLayoutProps) {
  const { address } = await params;
  if (addressError(address)) notFound();
  return children;
}
