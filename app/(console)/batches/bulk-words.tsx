import { batchesOf, TYPE_LABELS } from "@/app/(console)/batches/status";
import { Amount } from "@/app/ui/amount";
import { Fact, FactList } from "@/app/ui/section";
import type { BulkAction, BulkObstacle, Share } from "@/server/batches/bulk/schema";

interface ActionWords {
  /** Follows "Cannot be". */
  done: string;
  /** Of a result, where that is still to come. */
  toCome?: string;
  /** What becomes of the batches. */
  what: string;
  /** @param whom such as "3 batches" */
  confirm: (whom: string) => string;
}

export const ACTION_WORDS: Record<BulkAction, ActionWords> = {
  hold: {
    done: "put on hold",
    what:
      "A batch on hold is not finalized, even after its due time, until someone releases or cancels it. " +
      "The API still shows it as PENDING.",
    confirm: (whom) => `Put ${whom} on hold`,
  },
  release: {
    done: "released",
    what: "Each returns to its schedule. One due by then is paid within seconds, unless it awaits approval.",
    confirm: (whom) => `Release ${whom}`,
  },
  cancel: {
    done: "cancelled",
    what:
      "The transfers will not be made, and each contract gets its points back. Points of reversals " +
      "stay with the recipients. This cannot be undone.",
    confirm: (whom) => `Cancel ${whom}`,
  },
  reverse: {
    done: "taken back",
    toCome: "to be taken back",
    what:
      "Each finalized batch gets a reversal, which takes its points from the recipients and returns them " +
      "to the contract. It is pending until it is due, and can be cancelled until then. To take back some " +
      "transfers only, open their batch.",
    confirm: (whom) => `Take back ${whom}`,
  },
  approve: {
    done: "approved",
    what: "Each will be finalized when it is due, or stays on hold if it is on hold. This cannot be undone.",
    confirm: (whom) => `Approve ${whom}`,
  },
};

const OBSTACLES: Record<BulkObstacle, string> = {
  PENDING: "Not finalized yet",
  FINALIZED: "Already finalized",
  FINALIZING: "Being finalized",
  CANCELLED: "Already cancelled",
  HELD: "Already on hold",
  NOT_HELD: "Not on hold",
  WAITS: "Waiting for the release of its payout",
  REVERSED: "Already taken back",
  DECIDED: "Not awaiting approval",
  OWN: "Submitted by you, or by someone whose access you gave",
  SHORT: "Except from recipients who have too few points",
};

/** @param why an obstacle, or the message of a failure */
export const obstacleWords = (why: string): string =>
  Object.hasOwn(OBSTACLES, why) ? OBSTACLES[why as BulkObstacle] : why;

export const Shares = ({ shares }: { shares: readonly (Omit<Share, "transfers"> & { name: string })[] }) => (
  <FactList>
    {shares.map(({ name, batches, amounts }) => (
      <Fact key={name} name={`${name}: ${batchesOf(batches)}`} className="[&_dt]:shrink-99">
        <Amounts amounts={amounts} />
      </Fact>
    ))}
  </FactList>
);

export function Amounts({ amounts }: Pick<Share, "amounts">) {
  if (amounts.length === 0) return <span className="text-muted">0</span>;
  return (
    <span className="flex flex-col">
      {amounts.map(({ pointType, points }) => (
        <span key={pointType} className="wrap-anywhere">
          <Amount value={points} className="whitespace-normal!" />{" "}
          <span className="text-muted">{TYPE_LABELS[pointType]}</span>
        </span>
      ))}
    </span>
  );
}
