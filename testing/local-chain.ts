import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createEVM } from "@ethereumjs/evm";
import { type Address, createAddressFromString, hexToBytes } from "@ethereumjs/util";
import solc from "solc";
import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex } from "viem";

const require = createRequire(import.meta.url);
const GAS = 10_000_000n;

interface Compiled {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, CompiledContract>>;
}
interface CompiledContract {
  abi: Abi;
  evm: { bytecode: { object: string } };
}

/** Compiles the only contract of a source, which may import packages. */
function compile(source: string): { abi: Abi; bytecode: Hex } {
  const input = {
    language: "Solidity",
    sources: { "Source.sol": { content: source } },
    settings: { outputSelection: { "Source.sol": { "*": ["abi", "evm.bytecode.object"] } } },
  };
  const contents = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const { errors = [], contracts } = JSON.parse(
    solc.compile(JSON.stringify(input), { import: contents }),
  ) as Compiled;
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const [{ abi, evm }] = Object.values(contracts["Source.sol"]!) as [CompiledContract];
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

export interface DeployedContract {
  /** Calls a function; what it stores stays. @throws if the contract reverts */
  call(functionName: string, args: readonly unknown[], from?: string): Promise<unknown>;
}

/** Compiles a contract and deploys it to an EVM in memory. */
export async function deploy(
  source: string,
  args: readonly unknown[],
  owner: string,
): Promise<DeployedContract> {
  const { abi, bytecode } = compile(source);
  const evm = await createEVM();
  const send = async (data: Hex, from: string, to?: Address) => {
    const result = await evm.runCall({
      caller: createAddressFromString(from as Hex),
      data: hexToBytes(data),
      gasLimit: GAS,
      to,
    });
    const { exceptionError, returnValue } = result.execResult;
    if (exceptionError)
      throw new Error(`${exceptionError.error}: ${Buffer.from(returnValue).toString("latin1")}`);
    return result;
  };
  const { createdAddress } = await send(encodeDeployData({ abi, bytecode, args }), owner);
  return {
    async call(functionName, given, from = owner) {
      const data = encodeFunctionData({ abi, functionName, args: given });
      const { execResult } = await send(data, from, createdAddress);
      const returned: Hex = `0x${Buffer.from(execResult.returnValue).toString("hex")}`;
      return decodeFunctionResult({ abi, functionName, data: returned });
    },
  };
}
