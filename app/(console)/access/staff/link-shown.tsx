"use client";
import { Button } from "../../../ui/button";
import { CodeBlock } from "../../../ui/code-block";
import { Instant } from "../../../ui/instant";

interface LinkShownProps {
  link: { url: string; email: string; expiresAt: string };
  onDone: () => void;
}

/** A link that was just made; it is shown this once. */
export function LinkShown({ link, onDone }: LinkShownProps) {
  return (
    <div className="mt-4 flex flex-col gap-3">
      <p role="status">
        Send this link to <span className="font-medium">{link.email}</span> by a way that only they read. It
        works once, until{" "}
        <span className="whitespace-nowrap tabular-nums">
          <Instant at={link.expiresAt} />
        </span>
        , and is shown only now.
      </p>
      <CodeBlock code={link.url} what="link" wraps />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
