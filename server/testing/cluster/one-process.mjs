/**
 * What `npm run test:cluster` leaves out, with the reason each: these contract tests are about one process, or never start the
 * app through `startBuiltApp`, and so would run the same once more. Everything else passes in every shape.
 */
export const FILES_OF_ONE_PROCESS = {
  "server/host/workers.contract.test.ts":
    "the worker processes of one host: killed, replaced, ended together",
  "server/host/stop-delay.contract.test.ts": "what one stopping process says of itself",
  "server/host/without-host.contract.test.ts": "Next without the host, as on a platform",
  "server/host/behind-nginx.contract.test.ts": "has its own nginx, with TLS",
  "server/ops/demo-command.contract.test.ts":
    "the embedded database of a stopped service, which alone may be filled in production without --yes",
};

/** Single tests, by the name that they are found by. */
export const TESTS_OF_ONE_PROCESS = {
  "requests are counted by the template of their route":
    "counters are each process's own; Prometheus adds them up",
};
