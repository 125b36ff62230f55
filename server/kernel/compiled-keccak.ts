import { createKeccak } from "hash-wasm";
import { hashAddressesWith } from "./values/address-text";

/**
 * Checks EIP-55 checksums with Keccak-256 in WebAssembly, in a third of the time of JavaScript. Needed by "submit 2000 at 16,
 * eip55" in docs/benchmarks.md. Browsers use JavaScript, because the content security policy allows no WebAssembly. So do
 * Next's routes, which load their own copy of the module.
 */
export async function compileKeccak(): Promise<void> {
  const keccak = await createKeccak(256);
  hashAddressesWith((bytes) => keccak.init().update(bytes).digest("binary"));
}
