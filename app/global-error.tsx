"use client";
import "./globals.css";

export default function GlobalError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <html lang="en">
      <body className="p-8">
        <title>Something failed</title>
        <main role="alert">
          <h1 className="font-semibold text-title">Something failed here</h1>
          <p className="mt-2">
            The page could not be shown. {error.digest && `Its number in the log is ${error.digest}.`}
          </p>
          <button type="button" onClick={reset} className="mt-4 underline">
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
