import "server-only";
import { cookies } from "next/headers";
import { isZone } from "../ui/zone-time";

/** The IANA time zone from the visitor's cookie; UTC by default. */
export async function requestZone(): Promise<string> {
  const zone = (await cookies()).get("zone")?.value ?? "UTC";
  return isZone(zone) ? zone : "UTC";
}
