import { Download } from "lucide-react";
import { Button } from "../../ui/button";
import { DownloadLink } from "../../ui/download-link";
import { recipientPath } from "../contracts/paths";
import { type RecipientParams, recipientQuery } from "./recipient-params";

interface DownloadReceivedProps {
  address: string;
  params: RecipientParams;
  incomplete: boolean;
}

/** The filtered transfers. Disabled while the file would be incomplete. */
export function DownloadReceived({ address, params, incomplete }: DownloadReceivedProps) {
  if (incomplete)
    return (
      <Button size="small" icon={Download} disabled>
        Download CSV
      </Button>
    );
  return (
    <DownloadLink
      href={recipientQuery(`${recipientPath(address)}/export`, params)}
      title="The transfers of this list, oldest first, times in UTC"
      size="small"
    >
      Download CSV
    </DownloadLink>
  );
}
