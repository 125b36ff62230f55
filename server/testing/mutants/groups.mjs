/** What is mutated together, and the tests that must notice: those beside it, so that a mutant costs seconds. */
export const GROUPS = {
  amounts: {
    mutate: ["server/ledger/{points,address-text,addresses}.ts"],
    tests: ["server/ledger/{points,addresses}.test.ts"],
  },
  states: {
    mutate: ["server/batches/{state,cancel-batch,hold-batch}.ts"],
    tests: ["server/batches/state*.test.ts", "server/batches/{cancel-batch,hold-batch}.db.test.ts"],
  },
  input: {
    mutate: ["server/batches/{schema,row-rules,transfer-rules,prepare-batch,try-submit,digest}.ts"],
    tests: [
      "server/batches/{schema,digest}.test.ts",
      "server/batches/{try-submit,submit-batch,submit-repeat}.db.test.ts",
      "server/rest/bad-input.db.test.ts",
    ],
  },
  ledger: {
    mutate: [
      "server/ledger/{accounts,settle,check-ledger,ledger-rules,grant-points}.ts",
      "server/batches/submit-batch.ts",
    ],
    tests: [
      "server/ledger/{settle,check-ledger}.db.test.ts",
      "server/batches/{submit-batch,submit-repeat}.db.test.ts",
      "server/contracts/register-contract.db.test.ts",
    ],
  },
  cursor: {
    mutate: ["server/batches/{cursor,creation-order}.ts"],
    tests: ["server/batches/cursor.test.ts", "server/batches/list-{cursor,order}.db.test.ts"],
  },
  auth: {
    mutate: [
      "server/auth/{access-token,password,password-work,same-origin,authorize-contract,count-with-caller,rate-limit,revoke-token}.ts",
    ],
    tests: [
      "server/auth/{access-token,password}.test.ts",
      "server/auth/*.db.test.ts",
      "server/trpc/*.test.ts",
    ],
  },
  operators: {
    mutate: ["server/operators/{challenge,start-challenge,solve-challenge,verify-signature}.ts"],
    tests: ["server/operators/*.test.ts"],
  },
};
