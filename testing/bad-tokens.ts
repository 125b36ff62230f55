import { type BadInputWorld, type BadRow, batchBody, refused } from "./bad-request";

/** Callers without permission: no token, a garbled or expired one, another contract's, or one without the scope. */
export function badTokens(world: BadInputWorld): BadRow[] {
  const batches = `/v1/contracts/${world.contract}/batches`;
  const garbled = [
    "Bearer",
    "Bearer ptb_nonsense",
    "Basic dXNlcjpwYXNz",
    "Token x",
    world.tokens.own,
    `Bearer ${world.tokens.own}x`,
    `Bearer ${world.tokens.own} x`,
    `Bearer ${world.tokens.own.toUpperCase()}`,
    `Bearer ${world.tokens.own}, Bearer ${world.tokens.own}`,
    `Bearer "${world.tokens.own}"`,
    `Bearer: ${world.tokens.own}`,
    `Bearer ptb_${"0".repeat(36)}`,
    `Bearer ${"x".repeat(4000)}`,
    "Bearer ' or 1=1 --",
    "Bearer null",
    "Bearer undefined",
  ];
  const ofOther = (path: string) => `/v1/contracts/${world.other}${path}`;
  type Change = Omit<BadRow, "name">;
  const missingToken = (name: string, row: Change) =>
    refused(401, "missing_token", name, { token: null, ...row });
  const token401 = (name: string, row: Change) => refused(401, "invalid_token", name, row);
  const expired = (name: string, token: string) => refused(401, "expired_token", name, { token });
  const wrongContract = (name: string, row: Change) => refused(403, "wrong_contract", name, row);
  const unregistered = (name: string, row: Change) => refused(404, "contract_not_found", name, row);
  const missingScope = (name: string, row: Change) => refused(403, "missing_scope", name, row);
  const writeOnly = (name: string, path: string) =>
    missingScope(`${name} with a write-only token`, { token: world.tokens.write, path });
  return [
    missingToken("no Authorization", {}),
    missingToken("no Authorization, and everything else wrong too", {
      path: "/v1/contracts/x/batches?y=1",
      method: "POST",
      body: "{",
    }),
    missingToken("a token in the query", {
      path: `${batches}?access_token=${world.tokens.own}`,
    }),
    ...garbled.map((value) =>
      token401(`Authorization ${value.replaceAll(world.tokens.own, "<token>").slice(0, 50)}`, {
        headers: [["Authorization", value]],
      }),
    ),
    expired("an expired token", world.tokens.expired),
    expired("a revoked token", world.tokens.revoked),
    token401("Authorization twice", {
      headers: [
        ["Authorization", `Bearer ${world.tokens.own}`],
        ["Authorization", `Bearer ${world.tokens.other}`],
      ],
    }),
    wrongContract("the list of another contract", { path: ofOther("/batches") }),
    wrongContract("a submit for another contract", { token: world.tokens.other, body: batchBody() }),
    wrongContract("a cancel for another contract", {
      token: world.tokens.other,
      method: "DELETE",
      path: `${batches}/pending`,
    }),
    wrongContract("the balances of another contract", { path: ofOther("/point-balances") }),
    wrongContract("the statements of another contract", { path: ofOther("/statements?month=2026-01") }),
    wrongContract("the forecast of another contract", { path: ofOther("/forecast") }),
    wrongContract("a reversal of another contract's batch", {
      path: ofOther("/batches/pending/reversal"),
      body: "{}",
    }),
    wrongContract("a root of another contract", { path: ofOther("/batches/pending/root") }),
    wrongContract("a receipt of another contract", {
      path: ofOther(`/batches/pending/receipts/${world.contract}`),
    }),
    writeOnly("a root", `${batches}/pending/root`),
    writeOnly("a receipt", `${batches}/pending/receipts/${world.other}`),
    writeOnly("statements", `/v1/contracts/${world.contract}/statements?month=2026-01`),
    writeOnly("a forecast", `/v1/contracts/${world.contract}/forecast`),
    unregistered("a contract that is not registered", {
      path: `/v1/contracts/${world.unregistered}/batches`,
    }),
    unregistered("a submit for an unregistered contract", {
      path: `/v1/contracts/${world.unregistered}/batches`,
      body: batchBody(),
    }),
    missingScope("a submit with a read-only token", { token: world.tokens.read, body: batchBody() }),
    missingScope("a PUT with a read-only token", {
      token: world.tokens.read,
      method: "PUT",
      path: `${batches}/new`,
      body: batchBody(),
    }),
    missingScope("a cancel with a read-only token", {
      token: world.tokens.read,
      method: "DELETE",
      path: `${batches}/pending`,
    }),
    missingScope("a reversal with a token that may only submit", {
      token: world.tokens.write,
      path: `${batches}/pending/reversal`,
      body: "{}",
    }),
    missingScope("a list with a write-only token", { token: world.tokens.write }),
    writeOnly("a batch", `${batches}/pending`),
  ];
}
