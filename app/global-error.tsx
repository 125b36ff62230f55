"use client";
import "./globals.css";
import { buttonLook } from "./ui/button";

/** What is left when not even the shell could be made: mostly the database is away, and comes back. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <title>Something failed</title>
        <main role="alert" className="flex flex-col items-center gap-3 px-4 py-24 text-center">
          <h1 className="font-semibold text-title">This page could not be shown</h1>
          <p className="max-w-prose text-muted">
            Something failed on the way; the service or its database may be away for a moment. Nothing was
            changed.
          </p>
          {error.digest && (
            <p className="text-label text-muted">
              Its number in the log is <code className="font-mono">{error.digest}</code>.
            </p>
          )}
          <button type="button" onClick={() => window.location.reload()} className={buttonLook()}>
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
