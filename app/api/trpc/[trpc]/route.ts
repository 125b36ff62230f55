import { after } from "next/server";
import { watchAlertsSometimes } from "@/server/alerts/watch";
import { handleConsole } from "@/server/trpc/console-endpoint";

export const dynamic = "force-dynamic";

function answer(request: Request): Promise<Response> {
  after(watchAlertsSometimes);
  return handleConsole(request, after);
}

export { answer as GET, answer as POST };
