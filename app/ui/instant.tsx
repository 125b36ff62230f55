"use client";
import { useState } from "react";
import { formatRelative } from "./duration";
import { useTimeZone } from "./time-zone";
import { formatInstant } from "./zone-time";

interface InstantProps {
  at: string;
  className?: string;
  /** Leaves the seconds out in a narrow list. */
  narrow?: boolean;
}

/** The tooltip has the relative time and UTC. */
export function Instant({ at, className, narrow }: InstantProps) {
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
      {narrow ? <WithoutSeconds text={formatInstant(at, zone)} /> : formatInstant(at, zone)}
    </time>
  );
}

/** In a table: on one line, or `never` when it has not happened. */
export const When = ({ at, never }: { at: string | null; never?: string }) =>
  at ? (
    <Instant at={at} className="whitespace-nowrap tabular-nums" />
  ) : (
    <span className="text-muted">{never}</span>
  );

const SECONDS = /:\d\d$/;

const WithoutSeconds = ({ text }: { text: string }) => (
  <>
    {text.replace(SECONDS, "")}
    <span className="@max-[1180px]:hidden">{SECONDS.exec(text)?.[0]}</span>
  </>
);
