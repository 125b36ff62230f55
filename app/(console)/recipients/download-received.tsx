import { Download } from "lucide-react";
import { Button, buttonLook } from "../../ui/button";
import { recipientPath } from "../contracts/paths";

/** Disabled while the file would be incomplete. */
export function DownloadReceived({ address, incomplete }: { address: string; incomplete: boolean }) {
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
      href={`${recipientPath(address)}/export`}
      download
      title="Every transfer, oldest first, times in UTC"
      className={buttonLook({ size: "small" })}
    >
      {content}
    </a>
  );
}
