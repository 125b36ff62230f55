import { version } from "@/package.json";

export const dynamic = "force-static";

export const GET = () => Response.json({ version });
