"use client";
import type { MailedLink } from "@/server/staff/console-schema";
import { Button } from "../../../ui/button";
import { CodeBlock } from "../../../ui/code-block";
import { Instant } from "../../../ui/instant";

interface LinkShownProps {
  link: { url: string; email: string; expiresAt: string; mailed: MailedLink };
  onDone: () => void;
}

/** The only time that a new link is shown. */
export function LinkShown({ link, onDone }: LinkShownProps) {
  return (
    <div className="mt-4 flex flex-col gap-3">
      <p role="status">
        <WhereSent {...link} /> It works once and expires on{" "}
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

function WhereSent({ email, mailed }: Pick<LinkShownProps["link"], "email" | "mailed">) {
  const person = <span className="wrap-anywhere font-medium">{email}</span>;
  if (mailed?.isSent) return <>The link was sent to {person} by email. You can also pass it on yourself.</>;
  return (
    <>
      {mailed && (
        <span className="wrap-anywhere text-danger">The email could not be sent: {mailed.answer} </span>
      )}
      Send this link to {person} over a private channel.
    </>
  );
}
