import "server-only";
import { cookies } from "next/headers";
import { isZone } from "../ui/zone-time";

/** The zone that the visitor's browser keeps, an IANA name; UTC when it keeps none. */
export async function requestZone(): Promise<string> {
  const zone = (await cookies()).get("zone")?.value ?? "UTC";
  return isZone(zone) ? zone : "UTC";
}
