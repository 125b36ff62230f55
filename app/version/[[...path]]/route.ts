import { MACHINE_PATHS } from "@/server/host/machine-paths";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = MACHINE_PATHS["/version"];
