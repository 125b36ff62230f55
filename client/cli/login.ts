import type { Command } from "commander";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { createClient } from "../src/create-client.ts";
import { decryptKeystore, readKeystore } from "./keystore.ts";
import { contractOf, optionsOf, storeLogin, urlOf } from "./service.ts";
import { EXIT, Failure, print, timeText } from "./terminal.ts";

const KEY = /^(?:0x)?[0-9a-f]{64}$/i;

/** Signing in as the contract's operator. The key never leaves this process. */
export function addLoginCommand(program: Command, signal: AbortSignal): void {
  program
    .command("login")
    .description("Sign in as the contract's operator, and store the one-hour token.")
    .option("--keystore <file>", "encrypted key (Web3 Secret Storage, version 3)")
    .option("--print", "print the token, and store nothing")
    .addHelpText(
      "after",
      `
The keystore's password is read from POINT_BATCHES_KEYSTORE_PASSWORD. Without a keystore, the private key is
read from POINT_BATCHES_OPERATOR_KEY. The token is stored in ~/.config/point-batches, readable only by you.

Examples:
  read -rs POINT_BATCHES_KEYSTORE_PASSWORD && export POINT_BATCHES_KEYSTORE_PASSWORD
  point-batches login --keystore operator.json
  export POINT_BATCHES_TOKEN=$(point-batches login --print)`,
    )
    .action(async (_: object, command: Command) => {
      const options = optionsOf<{ keystore?: string; print?: boolean }>(command);
      const [baseUrl, contractAddress] = [urlOf(options), contractOf(options)];
      const account = await readAccount(options.keystore);
      const session = await createClient({ baseUrl, contractAddress, totalTimeoutMs: 20_000 }).signIn({
        operatorAddress: account.address,
        signMessage: (message) => account.signMessage({ message }),
        signal,
      });
      const { token, expiresAt } = session;
      const until = new Date(expiresAt).toISOString();
      const about = { success: true, operatorAddress: account.address, expiresAt: until };
      if (options.print) return print(options.json, { ...about, token }, () => token);
      const storedIn = storeLogin(baseUrl, contractAddress, session);
      const text = `Signed in as ${account.address} until ${timeText(until)}.\nThe token is in ${storedIn}.`;
      print(options.json, { ...about, storedIn }, () => text);
    });
}

async function readAccount(keystore: string | undefined): Promise<PrivateKeyAccount> {
  const given = process.env.POINT_BATCHES_OPERATOR_KEY?.trim() ?? "";
  if (keystore !== undefined) {
    const store = await readKeystore(keystore);
    const password = process.env.POINT_BATCHES_KEYSTORE_PASSWORD;
    if (password === undefined)
      throw new Failure(EXIT.usage, `Set POINT_BATCHES_KEYSTORE_PASSWORD to the password of ${keystore}.`);
    const account = accountOf(await decryptKeystore(store, password), EXIT.badInput, keystore);
    // The password does not prove the initialization vector, without which the key is another one.
    if (store.address === null || account.address.slice(2).toLowerCase() === store.address) return account;
    throw new Failure(
      EXIT.badInput,
      `The keystore is damaged: it names 0x${store.address}, but its key is of ${account.address}.`,
    );
  }
  if (!given)
    throw new Failure(EXIT.usage, "Which key? Add --keystore FILE, or set POINT_BATCHES_OPERATOR_KEY.");
  if (!KEY.test(given))
    throw new Failure(EXIT.usage, "POINT_BATCHES_OPERATOR_KEY is not a private key of 64 hex digits.");
  return accountOf(given.replace(/^0x/i, ""), EXIT.usage, "POINT_BATCHES_OPERATOR_KEY");
}

/** @throws Failure for a number that is no key of the curve, such as 0 */
function accountOf(key: string, exitCode: number, from: string): PrivateKeyAccount {
  try {
    return privateKeyToAccount(`0x${key}`);
  } catch {
    throw new Failure(exitCode, `${from} has 32 bytes that are not a valid private key.`);
  }
}
