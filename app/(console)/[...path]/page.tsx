import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Page not found" };

/** Unknown paths, so that the answer keeps the sidebar. */
export default function UnknownPage() {
  notFound();
}
