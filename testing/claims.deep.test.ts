import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createEVM } from "@ethereumjs/evm";
import { StandardMerkleTree as StandardMerkleTree105 } from "openzeppelin-merkle-tree-1.0.5";
import solc from "solc";
import {
  type Abi,
  decodeErrorResult,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
} from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { openFile } from "@/server/allocations/files/files";
import { fileAllocationOf, hexOf, someClaims, storedClaims } from "./claims";

interface Line {
  address: string;
  amount: string;
  proof: string[];
}

/** A download of the claims, as a stranger has it. */
async function downloaded(form: "openzeppelin" | "lines", count: number): Promise<string> {
  const claims = someClaims(count);
  const { content } = openFile(form, await fileAllocationOf(claims), storedClaims(claims));
  let text = "";
  for await (const chunk of content) text += chunk;
  return text;
}

const linesOf = async (count: number): Promise<Line[]> =>
  (await downloaded("lines", count))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the contract for claims in docs/verify.md", () => {
  interface Compiled {
    abi: Abi;
    evm: { bytecode: { object: string } };
  }
  const TOKEN = `
    pragma solidity ^0.8.20;
    import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
    contract Token is ERC20("Token", "T") {
      function mint(address to, uint256 amount) external { _mint(to, amount); }
    }`;
  let contracts: Record<string, Record<string, Compiled>>;

  beforeAll(() => {
    const shown = [...readFileSync("docs/verify.md", "utf8").matchAll(/^```solidity\n(.*?)^```$/gms)];
    const sources = [...shown.map(([, text]) => text!), TOKEN];
    const output = JSON.parse(
      solc.compile(
        JSON.stringify({
          language: "Solidity",
          sources: Object.fromEntries(sources.map((content, at) => [`${at}.sol`, { content }])),
          settings: { outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
        }),
        { import: (path) => ({ contents: readFileSync(resolve("testing/node_modules", path), "utf8") }) },
      ),
    );
    const errors = (output.errors ?? []).filter(({ severity }: { severity: string }) => severity === "error");
    expect(errors).toEqual([]);
    contracts = output.contracts;
  });

  /** A new chain. */
  async function chain() {
    const evm = await createEVM();
    const send = (data: `0x${string}`, to?: object, caller?: object) =>
      evm.runCall({
        ...{ data: Buffer.from(data.slice(2), "hex"), to, caller, gasLimit: 30_000_000n, skipBalance: true },
      });
    /** Who deploys: the first contract, since the zero address cannot receive tokens. */
    let deployer: object | undefined;
    return async (name: string, ...args: unknown[]) => {
      const { abi, evm: code } = Object.values(contracts).find((file) => file[name])![name]!;
      const { createdAddress } = await send(
        encodeDeployData({ abi, bytecode: `0x${code.bytecode.object}`, args }),
        undefined,
        deployer,
      );
      deployer ??= createdAddress;
      const callBy = async (caller: object | undefined, functionName: string, ...args: unknown[]) => {
        const sent = await send(encodeFunctionData({ abi, functionName, args }), createdAddress, caller);
        const { returnValue, exceptionError } = sent.execResult;
        const data = hexOf(returnValue) as `0x${string}`;
        if (exceptionError) throw new Error(String(decodeErrorResult({ abi, data }).args?.[0]));
        return decodeFunctionResult({ abi, functionName, data });
      };
      const call = (...given: [string, ...unknown[]]) => callBy(undefined, ...given);
      const callByDeployer = (...given: [string, ...unknown[]]) => callBy(deployer, ...given);
      return { call, callByDeployer, address: String(createdAddress) };
    };
  }

  test("pays each of seven claims once, to whom it is, and nothing else", async () => {
    const claims = await linesOf(7);
    const { root, sum } = await fileAllocationOf(someClaims(7));
    const deploy = await chain();
    const token = await deploy("Token");
    // On this chain it is always 0 seconds.
    const payer = await deploy("TokenClaims", token.address, hexOf(root), 1n);
    await token.call("mint", payer.address, sum);
    const claim = ({ address, amount, proof }: Line) => payer.call("claim", address, BigInt(amount), proof);

    const [first, second] = claims as [Line, Line];
    const more = { ...first, amount: String(BigInt(first.amount) + 1n) };
    await expect(claim(more)).rejects.toThrow("no such claim");
    await expect(claim({ ...first, proof: second.proof })).rejects.toThrow("no such claim");
    await expect(claim({ ...second, address: first.address })).rejects.toThrow("no such claim");
    await expect(claim({ ...first, proof: first.proof.slice(1) })).rejects.toThrow("no such claim");
    for (const each of claims) {
      await claim(each);
      await expect(claim(each)).rejects.toThrow("already claimed");
      expect(await token.call("balanceOf", each.address)).toBe(BigInt(each.amount));
    }
    expect(await token.call("balanceOf", payer.address)).toBe(0n);

    await expect(payer.callByDeployer("takeBack")).rejects.toThrow("not ended");

    // What nobody has claimed is the owner's, from the end on.
    const ended = await deploy("TokenClaims", token.address, hexOf(root), 0n);
    await token.call("mint", ended.address, 5n);
    const late = ended.call("claim", first.address, BigInt(first.amount), first.proof);
    await expect(late).rejects.toThrow("ended");
    await expect(ended.call("takeBack")).rejects.toThrow("only the owner takes back");
    await ended.callByDeployer("takeBack");
    expect(await token.call("balanceOf", token.address)).toBe(5n);
  });
});

test.each([1, 5, 7, 10, 64])(
  "OpenZeppelin's 1.0.5 loads our tree of %i claims and proves each",
  async (count) => {
    const text = await downloaded("openzeppelin", count);
    const tree = StandardMerkleTree105.load(JSON.parse(text));
    // Loading checks nothing there.
    const made = StandardMerkleTree105.of(
      [...tree.entries()].map(([, value]) => value),
      ["address", "uint256"],
    );
    expect(made.dump()).toEqual(JSON.parse(text));
    for (const [index, value] of tree.entries())
      expect(
        StandardMerkleTree105.verify(made.root, ["address", "uint256"], value, tree.getProof(index)),
      ).toBe(true);
  },
);
