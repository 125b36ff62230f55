"use client";

import { createContext, type ReactNode, use, useMemo, useState } from "react";

/** A cookie, so that the server renders the same times. */
export const ZONE_COOKIE = "zone";
const COOKIE_SECONDS = 31_536_000;

interface ChosenZone {
  zone: string;
  /** The organization's, `DEFAULT_TIME_ZONE`. */
  defaultZone: string;
  setZone: (zone: string) => void;
}

const ZoneContext = createContext<ChosenZone>({
  zone: "UTC",
  defaultZone: "UTC",
  setZone: () => undefined,
});

interface TimeZoneProviderProps {
  initialZone: string;
  defaultZone: string;
  children: ReactNode;
}

export function TimeZoneProvider({ initialZone, defaultZone, children }: TimeZoneProviderProps) {
  const [zone, setZone] = useState(initialZone);
  const value = useMemo(
    () => ({
      zone,
      defaultZone,
      setZone: (next: string) => {
        // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
        document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(next)};path=/;max-age=${COOKIE_SECONDS};samesite=lax`;
        setZone(next);
      },
    }),
    [zone, defaultZone],
  );
  return <ZoneContext value={value}>{children}</ZoneContext>;
}

export function useTimeZone() {
  return use(ZoneContext);
}

/** The time zone of the page. */
export const ZoneName = () => useTimeZone().zone;
