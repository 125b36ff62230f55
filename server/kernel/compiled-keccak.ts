import { createKeccak } from "hash-wasm";
import { hashAddressesWith } from "./values/address-text";

/**
 * Checks checksums with Keccak-256 in WebAssembly: a third of the time of JavaScript (`npm run bench -- submit`, 100 and
 * 2,000 EIP-55 addresses). Browsers keep the JavaScript, because the content security policy allows no WebAssembly, and so
 * do Next's own routes, which load modules of their own.
 */
export async function compileKeccak(): Promise<void> {
  const keccak = await createKeccak(256);
  hashAddressesWith((bytes) => keccak.init().update(bytes).digest("binary"));
}
