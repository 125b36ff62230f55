import { answerReadyz } from "@/server/host/health";
import { machineRoute } from "@/server/rest/machine-route";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = machineRoute("/readyz", answerReadyz);
