"use client";
import type { MailedLink } from "@/server/staff/console-schema";
import { Button } from "../../../ui/button";
import { CodeBlock } from "../../../ui/code-block";
import { Dialog } from "../../../ui/dialog";
import { Instant } from "../../../ui/instant";

interface NewLinkProps {
  title: string;
  link: { url: string | null; email: string; expiresAt: string; mailed: MailedLink };
  close: () => void;
}

/** The only time that a new link is shown. */
export function NewLink({ title, link, close }: NewLinkProps) {
  return (
    <Dialog open onOpenChange={close} title={title} description={null}>
      <div className="mt-4 flex flex-col gap-3">
        <p role="status">
          <WhereSent {...link} /> It works once and expires on{" "}
          <Instant at={link.expiresAt} className="whitespace-nowrap tabular-nums" />.
          {link.url && " You will not be able to see it again."}
        </p>
        {link.url && <CodeBlock code={link.url} what="link" wraps />}
        <div className="flex justify-end">
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function WhereSent({ url, email, mailed }: Pick<NewLinkProps["link"], "url" | "email" | "mailed">) {
  const person = <span className="wrap-anywhere font-medium">{email}</span>;
  if (mailed?.isSent)
    return (
      <>
        The link was sent to {person} by email. {url && "You can also pass it on yourself."}
      </>
    );
  return (
    <>
      {mailed && (
        <span className="wrap-anywhere text-danger">The email could not be sent: {mailed.answer} </span>
      )}
      {url ? (
        <>Send this link to {person} over a private channel.</>
      ) : (
        "Under an approval rule, links go by email only. Create another one once the email can be sent."
      )}
    </>
  );
}
