import { badNetwork } from "./bad-network";
import { crashPoints } from "./crash-points";
import { cronCalls } from "./cron-calls";
import { diskFull } from "./disk-full";
import type { FaultRow } from "./fault-row";
import { killApp } from "./kill-app";
import { killFinalizers } from "./kill-finalizers";
import { killPostgres } from "./kill-postgres";
import { killStatements } from "./kill-statements";
import { orderlyStop } from "./orderly-stop";
import { pooler } from "./pooler";
import { rollingRestart } from "./rolling-restart";
import { smallPool } from "./small-pool";
import { threeMigrators } from "./three-migrators";
import { wrongClock } from "./wrong-clock";

/** In the order in which they run. */
export const FAULT_ROWS: readonly FaultRow[] = [
  killApp,
  killFinalizers,
  crashPoints,
  killStatements,
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
];
