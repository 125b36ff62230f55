"use client";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import { useLayoutEffect } from "react";
import "./globals.css";
import "./print.css";
import { Failure } from "./ui/failure";
import { paintTheme } from "./ui/theme";

/** When not even the layout could be rendered, usually because the database is temporarily unavailable. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  // The theme script is part of the layout, which failed.
  useLayoutEffect(paintTheme, []);
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <title>Something went wrong · Point transfer batches</title>
        <main className="flex min-h-dvh flex-col justify-center">
          <Failure digest={error.digest} onRetry={() => window.location.reload()} />
        </main>
      </body>
    </html>
  );
}
