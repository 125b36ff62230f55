import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Page not found" };

/** Catches unknown paths, so that the 404 page keeps the sidebar. */
export default function UnknownPage() {
  notFound();
}
