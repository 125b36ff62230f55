import { csvFields } from "@/app/data/csv";
import { csvRoute, parseInput } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { getTaken } from "@/server/snapshots/console-snapshots";
import { type ExportedHolder, exportHolders } from "@/server/snapshots/list-holders";
import { SnapshotInput } from "@/server/snapshots/schema";

/** Its rows in their order are the text of the digest, but for its separators (docs/snapshots.md). */
export const GET = (request: Request, { params }: RouteProps<"snapshotId">) =>
  csvRoute(request, async (ctx) => {
    const snapshot = await getTaken(ctx, parseInput(SnapshotInput, await params));
    return {
      name: `holders-${snapshot.asOf.slice(0, 10)}-${snapshot.id}.csv`,
      columns: csvFields<ExportedHolder>("address", "points"),
      pages: exportHolders(ctx, snapshot),
    };
  });
