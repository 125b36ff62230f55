"use client";
import { useEffect } from "react";

/** Links to an operation led to this page until each group got its own. @param paths with the same anchors */
export function OldAnchors({ paths }: { paths: string[] }) {
  useEffect(() => {
    const follow = () => {
      const path = location.hash && paths.find((each) => each.endsWith(location.hash));
      if (path) location.replace(path);
    };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [paths]);
  return null;
}
