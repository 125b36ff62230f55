/**
 * What is mutated together, and the nearby tests that must notice, so that a mutant costs seconds. Stryker changes the code in
 * `mutate`; statements.mjs changes the SQL in `statements`.
 */
export const GROUPS = {
  amounts: {
    mutate: ["server/kernel/values/{points,address-text,addresses}.ts"],
    tests: ["server/kernel/values/{points,addresses}.test.ts"],
  },
  states: {
    mutate: ["server/batches/change/{cancel-batch,hold-batch}.ts"],
    statements: ["server/batches/change/cancel-batch.ts", "server/batches/change/hold-batch.ts"],
    tests: [
      "server/kernel/values/batch-state.db.test.ts",
      "server/batches/change/{cancel-batch,hold-batch}.db.test.ts",
    ],
  },
  settling: {
    mutate: ["server/ledger/settle.ts", "server/finalizer/{claim-due-batches,finalize-due-batches}.ts"],
    statements: ["server/ledger/settle.ts", "server/finalizer/claim-due-batches.ts"],
    tests: [
      "server/ledger/{settle,settle-plan}.db.test.ts",
      "server/ledger/settle.race.test.ts",
      "server/finalizer/{claim-due-batches,finalize-due-batches,rejected-batch}.db.test.ts",
    ],
  },
  submitting: {
    mutate: ["server/batches/submit/{submit-batch,prepare-batch,dry-run-submit,digest}.ts"],
    statements: ["server/batches/submit/submit-batch.ts", "server/batches/submit/dry-run-submit.ts"],
    tests: [
      "server/batches/submit/digest.test.ts",
      "server/batches/submit/{dry-run-submit,submit-batch,submit-repeat}.db.test.ts",
    ],
  },
  input: {
    mutate: ["server/batches/submit/{row-rules,transfer-rules}.ts"],
    tests: ["server/kernel/values/batch-schema.test.ts", "server/batches/submit/row-rules.test.ts"],
  },
  ledger: {
    mutate: ["server/ledger/{accounts,grant-points}.ts"],
    statements: ["server/ledger/accounts.ts", "server/ledger/grant-points.ts"],
    tests: ["server/ledger/accounts.db.test.ts", "server/contracts/register-contract.db.test.ts"],
  },
  packing: {
    mutate: ["server/ledger/{packed-transfers,transfer-hash}.ts"],
    statements: ["server/ledger/packed-transfers.ts"],
    tests: [
      "server/ledger/{packed-transfers,transfer-hash}.db.test.ts",
      "server/ledger/packed-transfers.test.ts",
      "server/ledger/settle.db.test.ts",
    ],
  },
  rules: {
    mutate: ["server/ledger/{check-ledger,ledger-rules,movements}.ts"],
    statements: ["server/ledger/ledger-rules.ts"],
    tests: ["server/ledger/{check-ledger,check-increment}.db.test.ts"],
  },
  increment: {
    mutate: ["server/ledger/{checkpoint,scope,run-check}.ts"],
    tests: ["server/ledger/{check-increment,run-check}.db.test.ts"],
  },
  cursor: {
    mutate: ["server/kernel/cursor.ts", "server/ledger/creation-order.ts"],
    statements: ["server/ledger/creation-order.ts"],
    tests: ["server/kernel/cursor.test.ts", "server/batches/list/list-{cursor,order}.db.test.ts"],
  },
  tokens: {
    mutate: ["server/auth/{access-token,same-origin}.ts"],
    tests: ["server/auth/{access-token,same-origin}.test.ts"],
  },
  passwords: {
    mutate: ["server/auth/{password,password-slots,password-work,known-device}.ts"],
    tests: [
      "server/auth/{password,password-slots,known-device}.test.ts",
      "server/auth/check-password.deep.db.test.ts",
    ],
  },
  sessions: {
    mutate: ["server/auth/sessions.ts"],
    statements: ["server/auth/sessions.ts"],
    tests: ["server/auth/sessions.db.test.ts"],
  },
  callers: {
    mutate: ["server/auth/{authorize-contract,find-caller,rate-limit,token-failures,revoke-token}.ts"],
    statements: [
      "server/auth/authorize-contract.ts",
      "server/auth/find-caller.ts",
      "server/auth/revoke-token.ts",
    ],
    tests: [
      "server/auth/{authorize-contract,rate-limit,failure-limits,no-limits,check-password.deep}.db.test.ts",
      "server/operators/operators.db.test.ts",
      "server/contracts/console-contracts.db.test.ts",
    ],
  },
  operators: {
    mutate: ["server/operators/{challenge,start-challenge,solve-challenge,verify-signature}.ts"],
    statements: ["server/operators/solve-challenge.ts"],
    tests: ["server/operators/{challenge,verify-signature}.test.ts", "server/operators/operators.db.test.ts"],
  },
};
