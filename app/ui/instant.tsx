"use client";
import { useState } from "react";
import { formatRelative } from "./duration";
import { useTimeZone } from "./time-zone";
import { formatInstant } from "./zone-time";

/** The tooltip has the relative time and UTC. */
export function Instant({ at, className }: { at: string; className?: string }) {
  const { zone } = useTimeZone();
  const [title, setTitle] = useState<string>();
  return (
    <time
      dateTime={at}
      title={title}
      className={className}
      onPointerEnter={() =>
        setTitle(`${formatRelative(Date.parse(at), Date.now())} · ${formatInstant(at, "UTC")} UTC`)
      }
    >
      {formatInstant(at, zone)}
    </time>
  );
}
