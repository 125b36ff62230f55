import { version } from "@/package.json";

export const dynamic = "force-dynamic";

export const GET = () => Response.json({ version }, { headers: { "Cache-Control": "no-store" } });
