import type { Shape } from "../cluster/start-cluster";
import { badNetwork } from "./bad-network";
import { crashPoints } from "./crash-points";
import { cronCalls } from "./cron-calls";
import { diskFull } from "./disk-full";
import type { FaultRow } from "./fault-row";
import { hostileNeighbours } from "./hostile-neighbour";
import { killApp } from "./kill-app";
import { killFinalizers } from "./kill-finalizers";
import { killPostgres } from "./kill-postgres";
import { killStatements } from "./kill-statements";
import { killWebhooks } from "./kill-webhooks";
import { orderlyStop } from "./orderly-stop";
import { pooler } from "./pooler";
import { rollingRestart } from "./rolling-restart";
import { smallPool } from "./small-pool";
import { threeMigrators } from "./three-migrators";
import { wrongClock } from "./wrong-clock";

const OWN_POSTGRES = "the app runs its own Postgres, without a pooler in between";

/** Rows that do not apply to several instances, and why. */
export const NOT_IN_SHAPE: Record<Shape, Record<string, string>> = {
  cluster: {
    "crash-points": "crashes the one process that gets the request",
    "small-pool": "measures one process through a hook in it",
    "three-migrators": "starts three instances itself, and sends no request",
    pooler: "runs the database tests without an app",
    "hostile-viewer": "measures one process",
    "hostile-reader": "measures one process",
    "hostile-sign-in": "measures one process",
  },
  pooled: {
    "kill-app": OWN_POSTGRES,
    "kill-postgres": OWN_POSTGRES,
    "disk-full": OWN_POSTGRES,
  },
};

export function rowsOf(shape: Shape | null): readonly FaultRow[] {
  const leftOut = {
    ...(shape && NOT_IN_SHAPE.cluster),
    ...(shape === "pooled" && NOT_IN_SHAPE.pooled),
  };
  return FAULT_ROWS.filter(({ name }) => !Object.hasOwn(leftOut, name));
}

/** In the order in which they run. */
export const FAULT_ROWS: readonly FaultRow[] = [
  killApp,
  killFinalizers,
  crashPoints,
  killStatements,
  killWebhooks,
  killPostgres,
  badNetwork,
  cronCalls,
  smallPool,
  orderlyStop,
  rollingRestart,
  threeMigrators,
  wrongClock,
  diskFull,
  pooler,
  ...hostileNeighbours,
];
