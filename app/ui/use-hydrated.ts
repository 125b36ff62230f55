"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False until React handles events. Before that, the browser itself would submit a form. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
