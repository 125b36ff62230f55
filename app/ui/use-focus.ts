"use client";
import { useCallback } from "react";

/** A ref that focuses its element when it appears. A panel's code may load only after the panel has opened. */
export const useFocus = <Focusable extends HTMLElement>() =>
  useCallback((element: Focusable | null) => element?.focus(), []);
