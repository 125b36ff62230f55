"use client";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import { useLayoutEffect } from "react";
import "./globals.css";
import "./print.css";
import { paintTheme } from "./ui/theme";

const BUTTON = "rounded-control border border-line bg-surface px-3 py-1.5 font-medium hover:bg-hover";

/**
 * When not even the layout could be rendered, usually because the database is temporarily unavailable. Every
 * page loads this code too, so it is kept to plain elements.
 */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  // The theme script is part of the layout, which failed.
  useLayoutEffect(paintTheme, []);
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <title>Something went wrong · Point transfer batches</title>
        <main className="flex min-h-dvh flex-col items-center justify-center gap-3 px-4 py-12 text-center">
          <h1 className="font-semibold text-title">Something went wrong</h1>
          <p role="alert" className="max-w-prose text-balance text-muted">
            The page could not be loaded, and nothing was changed. The service or its database may be
            temporarily unavailable.
          </p>
          {error.digest && (
            <p className="hint">
              Error ID <code className="font-mono">{error.digest}</code>
            </p>
          )}
          <div className="mt-2 flex gap-2">
            <button type="button" onClick={() => window.location.reload()} className={BUTTON}>
              Try again
            </button>
            <a href="/batches" className={BUTTON}>
              View all batches
            </a>
          </div>
        </main>
      </body>
    </html>
  );
}
