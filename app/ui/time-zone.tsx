"use client";
import { createContext, type ReactNode, use, useMemo, useState } from "react";

/** A cookie, so that the server renders the same times. */
export const ZONE_COOKIE = "zone";
const COOKIE_SECONDS = 31_536_000;

const ZoneContext = createContext<{ zone: string; setZone: (zone: string) => void }>({
  zone: "UTC",
  setZone: () => undefined,
});

export function TimeZoneProvider({ initialZone, children }: { initialZone: string; children: ReactNode }) {
  const [zone, setZone] = useState(initialZone);
  const value = useMemo(
    () => ({
      zone,
      setZone: (next: string) => {
        // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
        document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(next)};path=/;max-age=${COOKIE_SECONDS};samesite=lax`;
        setZone(next);
      },
    }),
    [zone],
  );
  return <ZoneContext value={value}>{children}</ZoneContext>;
}

export function useTimeZone() {
  return use(ZoneContext);
}
