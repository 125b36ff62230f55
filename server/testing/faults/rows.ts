import { crashPoints } from "./crash-points";
import type { FaultRow } from "./fault-row";
import { killApp } from "./kill-app";
import { killFinalizers } from "./kill-finalizers";
import { killStatements } from "./kill-statements";

/** In the order in which they run. */
export const FAULT_ROWS: readonly FaultRow[] = [killApp, killFinalizers, crashPoints, killStatements];
