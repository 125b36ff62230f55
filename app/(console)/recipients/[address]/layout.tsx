import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import type { RouteProps } from "@/app/data/page-props";
import { addressError } from "@/server/kernel/values/address-text";

export default async function RecipientLayout({
  params,
  children,
}: RouteProps<"address"> & { children: ReactNode }) {
  const { address } = await params;
  if (addressError(address)) notFound();
  return children;
}
