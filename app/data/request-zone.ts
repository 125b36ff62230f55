import "server-only";
import { cookies } from "next/headers";
import { settings } from "@/server/kernel/settings";
import { isZone } from "../ui/zone-time";

/** The IANA time zone from the visitor's cookie, or the organization's. */
export async function requestZone(): Promise<string> {
  const zone = (await cookies()).get("zone")?.value;
  return zone && isZone(zone) ? zone : defaultZone();
}

/** The organization's time zone, until a person chooses another. */
export const defaultZone = () => settings().DEFAULT_TIME_ZONE;
