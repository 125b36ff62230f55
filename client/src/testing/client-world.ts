import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { type BuiltApp, newToken, startBuiltApp } from "@/testing/launch-app";
import { type Client, createClient } from "../create-client.ts";
import type { NewBatch } from "../shapes.ts";

export const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
export const OTHER = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
export const PREFUNDED = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
export const operator = privateKeyToAccount(generatePrivateKey());

export const wallet = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
export const batchOf = (points: string, more: Partial<NewBatch> = {}): NewBatch => ({
  pointType: "PHASE2_POINTS",
  transfers: [{ toAddress: wallet(0xa1), points }],
  ...more,
});

export interface ClientWorld {
  app: BuiltApp;
  /** The client of `CONTRACT`. */
  token: string;
  client: Client;
  /** The client of `PREFUNDED`, which has no points. */
  prefunded: Client;
  /** Stops the app; throws if its ledger does not balance. */
  stop(): Promise<void>;
}

/** The built app with three contracts of one operator, and clients for two of them. */
export async function startClientWorld(environment: Record<string, string> = {}): Promise<ClientWorld> {
  const settings = { MINIMUM_FINALIZE_SECONDS: "1", PUBLIC_BOOKS: "on", ...environment };
  const app = await startBuiltApp({ environment: settings });
  const create = ["contract", "create", "--label", "Test", "--operator", operator.address, "--address"];
  await app.ops([...create, CONTRACT]);
  await app.ops([...create, PREFUNDED, "--issuance", "PREFUNDED"]);
  await app.ops([...create, OTHER]);
  const token = await newToken(app, CONTRACT);
  return {
    app,
    token,
    client: createClient({ baseUrl: app.url, token, contractAddress: CONTRACT }),
    prefunded: createClient({
      baseUrl: app.url,
      token: await newToken(app, PREFUNDED),
      contractAddress: PREFUNDED,
    }),
    async stop() {
      try {
        await app.ops(["verify-ledger", "--json"]);
      } finally {
        await app.stop();
      }
    },
  };
}
