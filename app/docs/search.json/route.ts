import { searchIndex } from "@/app/docs/search-index";

/** The limits in the texts are the running process's, not the build's. */
export const dynamic = "force-dynamic";

const KEPT_SECONDS = 300;

export const GET = () =>
  Response.json(searchIndex(), { headers: { "Cache-Control": `public, max-age=${KEPT_SECONDS}` } });
