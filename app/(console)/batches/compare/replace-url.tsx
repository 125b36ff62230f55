"use client";
import { useEffect } from "react";

/**
 * Adds the batch chosen by default to the URL, so that a link shows the same comparison later. A redirect would load the
 * page twice, since a part of it was already sent.
 */
export function ReplaceUrl({ href }: { href: string }) {
  useEffect(() => window.history.replaceState(null, "", href), [href]);
  return null;
}
