"use client";
import { clsx } from "clsx";
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from "react";
import { formatInstant, formatRelative } from "@/app/ui/format-time";

interface ChosenZone {
  zone: string;
  /** The server's time when it drew the page, RFC 3339. */
  paintedAt: string;
  /** The organization's, `DEFAULT_TIME_ZONE`. */
  defaultZone: string;
  setZone: (zone: string) => void;
}

const ZoneContext = createContext<ChosenZone>({
  zone: "UTC",
  paintedAt: "1970-01-01T00:00:00Z",
  defaultZone: "UTC",
  setZone: () => undefined,
});

interface TimeZoneProviderProps extends Pick<ChosenZone, "paintedAt" | "defaultZone"> {
  initialZone: string;
  children: ReactNode;
}

export function TimeZoneProvider({ initialZone, children, ...given }: TimeZoneProviderProps) {
  const [zone, setZone] = useState(initialZone);
  // Until a reply says the time. A screen may look for the first time long after the page was drawn.
  useEffect(() => {
    offsetMs ??= Date.parse(given.paintedAt) - Date.now();
  }, [given.paintedAt]);
  /** A cookie, so that the server renders the same times. */
  const chooseZone = (next: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = `zone=${encodeURIComponent(next)};path=/;max-age=31536000;samesite=lax`;
    setZone(next);
  };
  return <ZoneContext value={{ ...given, zone, setZone: chooseZone }}>{children}</ZoneContext>;
}

export const useTimeZone = () => use(ZoneContext);

export const ZoneName = () => useTimeZone().zone;

interface InstantProps {
  at: string;
  className?: string;
  /** Of a list, which shortens its times when it is narrow. */
  short?: boolean;
}

/** The tooltip has the relative time and UTC. */
export function Instant({ at, className, short }: InstantProps) {
  const { zone, paintedAt } = useTimeZone();
  const [title, setTitle] = useState<string>();
  const text = formatInstant(at, zone);
  return (
    <time
      dateTime={at}
      title={title}
      className={clsx("tabular-nums", className)}
      onPointerEnter={() =>
        setTitle(`${formatRelative(Date.parse(at), Date.now())} · ${formatInstant(at, "UTC")} UTC`)
      }
    >
      {short ? <ShortTime text={text} now={formatInstant(paintedAt, zone)} /> : text}
    </time>
  );
}

/** In a table: on one line, or `never` when it has not happened. */
export const When = ({ at, never }: { at: string | null; never?: string }) =>
  at ? <Instant at={at} className="whitespace-nowrap" /> : <span className="text-muted">{never}</span>;

/** When the list is narrow, a time of this year without the year and the seconds, and another one's date. */
function ShortTime({ text, now }: { text: string; now: string }) {
  const [from, to] = text.slice(0, 4) === now.slice(0, 4) ? [5, 16] : [0, 10];
  return (
    <>
      <span className="@max-[1180px]/list:hidden">{text.slice(0, from)}</span>
      {text.slice(from, to)}
      <span className="@max-[1180px]/list:hidden">{text.slice(to)}</span>
    </>
  );
}

/** By how much the server's clock is ahead of the browser's, once it is known. */
let offsetMs: number | undefined;
let nowMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

const readClock = () => Math.floor((Date.now() + (offsetMs ?? 0)) / 1000) * 1000;

function tick(): void {
  nowMs = readClock();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!timer) {
    timer = setInterval(tick, 1000);
    // Since nobody looked, the time has gone by.
    if (nowMs > 0) tick();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** @param now the server's time in its latest reply, RFC 3339 */
export function useServerClock(now: string | null | undefined): void {
  useEffect(() => {
    if (!now) return;
    offsetMs = Date.parse(now) - Date.now();
    tick();
  }, [now]);
}

/** In ms, updated every second. At the first paint, it is the same on server and client. */
export function useServerNow(): number {
  const firstMs = Date.parse(useTimeZone().paintedAt);
  return useSyncExternalStore(
    subscribe,
    () => {
      if (nowMs === 0) nowMs = offsetMs === undefined ? firstMs : readClock();
      return nowMs;
    },
    () => firstMs,
  );
}
