"use client";
import { useEffect } from "react";

/** Names the batch that was chosen by default in the URL, so that a link shows the same comparison later. */
export function ReplaceUrl({ href }: { href: string }) {
  useEffect(() => window.history.replaceState(null, "", href), [href]);
  return null;
}
