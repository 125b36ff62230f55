"use client";
import { useEffect } from "react";

export type PageActionName =
  | "hold"
  | "release"
  | "cancel"
  | "copy-batch-id"
  | "copy-link"
  | "copy-curl"
  | "copy-address"
  | "new-batch-here"
  | "create-token"
  | "statements";

export type PageActions = Partial<Record<PageActionName, () => void>>;

const offered = new Set<PageActions>();

/** Adds actions to the search while the component is mounted. Pass only those that the user may take now. */
export function usePageActions(actions: PageActions): void {
  useEffect(() => {
    offered.add(actions);
    return () => void offered.delete(actions);
  });
}

export const pageActions = (): PageActions => Object.assign({}, ...offered);
