import "server-only";
import { cookies } from "next/headers";
import { settings } from "@/server/kernel/settings";
import { isTimeZone } from "@/terms/batch-terms";

/** The IANA time zone from the visitor's cookie, or the organization's. */
export async function requestZone(): Promise<string> {
  const zone = (await cookies()).get("zone")?.value;
  return zone && isTimeZone(zone) ? zone : defaultZone();
}

export const defaultZone = () => settings().DEFAULT_TIME_ZONE;
