import { expect, test } from "vitest";
import type { ClusterNode, NodeState } from "@/server/distribution/cluster";
import { examineNode } from "./doctor";

const STATE: NodeState = {
  maxConnections: 100,
  maxPreparedTransactions: 200,
  fsync: "on",
  walLevel: "logical",
  prepared: 0,
  oldestPreparedSeconds: null,
};

const node = (state: Partial<NodeState> | null, isCoordinator = false): ClusterNode => ({
  address: isCoordinator ? "c:5432" : "w:5432",
  isCoordinator,
  holdsShards: !isCoordinator,
  shards: isCoordinator ? 0 : 8,
  state: state && { ...STATE, ...state },
});

const examined = (state: Partial<NodeState> | null) => {
  const worker = node(state);
  const { ok, detail } = examineNode(worker, [node({}, true), worker]);
  return `${ok ? "ok" : "FAIL"}: ${detail}`;
};

test.each([
  [{}, "ok: worker with 8 shards"],
  [null, "FAIL: worker with 8 shards; not responding"],
  [{ fsync: "off" }, "FAIL: worker with 8 shards; fsync is off"],
  [
    { maxPreparedTransactions: 10 },
    "FAIL: worker with 8 shards; max_prepared_transactions is 10, lower than the coordinator's max_connections",
  ],
  [{ prepared: 2, oldestPreparedSeconds: 3 }, "ok: worker with 8 shards"],
  [
    { prepared: 2, oldestPreparedSeconds: 40 },
    "FAIL: worker with 8 shards; 2 prepared transactions lock rows, the oldest for 40 s: " +
      "run `select recover_prepared_transactions()` on the coordinator",
  ],
  [
    { walLevel: "replica" },
    "ok: worker with 8 shards; wal_level is replica, so moving a shard blocks writes",
  ],
])("a worker that reports %j is shown as %s", (state, said) => {
  expect(examined(state)).toBe(said);
});
