"use client";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import { useLayoutEffect } from "react";
import "./globals.css";
import { buttonLook } from "./ui/button";
import { Logo } from "./ui/logo";
import { paintTheme } from "./ui/use-theme";

/** What is left when not even the shell could be made: mostly the database is away, and comes back. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  // No script of the server's page ran: it was not made.
  useLayoutEffect(paintTheme, []);
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <title>Something failed · Point transfer batches</title>
        <main className="flex min-h-dvh flex-col items-center justify-center gap-3 px-4 py-12 text-center">
          <Logo size={32} />
          <h1 className="mt-2 font-semibold text-title">This page could not be shown</h1>
          <p role="alert" className="max-w-prose text-balance text-muted">
            Something failed on the way; the service or its database may be away for a moment. Nothing was
            changed.
          </p>
          {error.digest && (
            <p className="text-label text-muted">
              Its number in the log is <code className="font-mono">{error.digest}</code>.
            </p>
          )}
          <div className="mt-2 flex gap-2">
            <button
              type="button"
              onClick={() => window.location.reload()}
              className={buttonLook({ variant: "primary" })}
            >
              Try again
            </button>
            <a href="/batches" className={buttonLook()}>
              All batches
            </a>
          </div>
        </main>
      </body>
    </html>
  );
}
