"use client";
import { Button } from "../../../ui/button";
import { CodeBlock } from "../../../ui/code-block";
import { Instant } from "../../../ui/instant";

interface LinkShownProps {
  link: { url: string; email: string; expiresAt: string };
  onDone: () => void;
}

/** The only time that a new link is shown. */
export function LinkShown({ link, onDone }: LinkShownProps) {
  return (
    <div className="mt-4 flex flex-col gap-3">
      <p role="status">
        Send this link to <span className="font-medium">{link.email}</span> over a private channel. It works
        once and expires on{" "}
        <span className="whitespace-nowrap tabular-nums">
          <Instant at={link.expiresAt} />
        </span>
        . You will not be able to see it again.
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
