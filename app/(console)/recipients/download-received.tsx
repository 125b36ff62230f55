import { Download } from "lucide-react";
import { Button, buttonLook } from "../../ui/button";
import { recipientPath } from "../contracts/paths";

/** The transfers as a file; not while it would lack some. */
export function DownloadReceived({ address, lacking }: { address: string; lacking: boolean }) {
  const words = (
    <>
      <Download aria-hidden size={14} className="text-muted" />
      Download CSV
    </>
  );
  if (lacking) {
    return (
      <Button size="small" disabled>
        {words}
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
      {words}
    </a>
  );
}
