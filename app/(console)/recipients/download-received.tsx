import { Download } from "lucide-react";
import { Button, buttonLook } from "../../ui/button";
import { recipientPath } from "../contracts/paths";
import { type RecipientParams, recipientQuery } from "./recipient-params";

interface DownloadReceivedProps {
  address: string;
  params: RecipientParams;
  incomplete: boolean;
}

/** The filtered transfers. Disabled while the file would be incomplete. */
export function DownloadReceived({ address, params, incomplete }: DownloadReceivedProps) {
  const content = (
    <>
      <Download aria-hidden size={14} className="text-muted" />
      Download CSV
    </>
  );
  if (incomplete) {
    return (
      <Button size="small" disabled>
        {content}
      </Button>
    );
  }
  return (
    <a
      href={recipientQuery(`${recipientPath(address)}/export`, params)}
      download
      title="The transfers of this list, oldest first, times in UTC"
      className={buttonLook({ size: "small" })}
    >
      {content}
    </a>
  );
}
