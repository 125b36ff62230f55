"use client";

import dynamic, { type LoaderComponent } from "next/dynamic";
import type { ReactNode } from "react";

/**
 * Code that is loaded when it is first shown. With neither `loading` nor `ssr: false`, Next.js would hide the
 * page around it until then, and the page would lose the focus.
 */
export const later = <Props>(load: () => LoaderComponent<Props>, loading?: () => ReactNode) =>
  dynamic(load, { ssr: false, loading });
