import { handleConsole } from "@/server/trpc/console-door";

export const dynamic = "force-dynamic";

export { handleConsole as GET, handleConsole as POST };
