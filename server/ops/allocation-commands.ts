import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import { deleteAllocation } from "@/server/allocations/delete-allocation";
import { allocationFile } from "@/server/allocations/files/allocation-file";
import { FILES, type FileFormName } from "@/server/allocations/files/files";
import { getAllocation, listAllocations } from "@/server/allocations/list-allocations";
import { makeAllocations } from "@/server/allocations/make-allocation";
import { publishAllocation } from "@/server/allocations/publish-allocation";
import { previewAndRequest } from "@/server/allocations/request-allocation";
import {
  type AllocationOut,
  type AllocationPreview,
  RequestAllocationInput,
} from "@/server/allocations/schema";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid, invalidInput } from "@/server/kernel/to-domain-error";
import { writeNewFile } from "@/server/kernel/write-new-file";
import { PAYER_NAMES, type Payer, unitName } from "@/terms/claims/payers";
import { FileProblem } from "@/terms/file/decode-file";
import { readContent } from "@/terms/file/open-file";
import { readAddresses } from "@/terms/file/read-addresses";
import { counted } from "@/terms/output-text";
import { parseTokens, TOKEN_DECIMALS_MAX } from "@/terms/token-amounts";
import { formatUnits } from "@/terms/units";
import * as argument from "./command";
import { onDatabase, untilDone } from "./command";

export function addAllocationCommands(program: Command): void {
  const allocation = program.command("allocation").description("what holders get of a token, by a rule");
  allocation
    .command("make")
    .description("turn a snapshot into claims and wait until it is done; exits with 1 if it fails")
    .requiredOption("--snapshot <id>", "the snapshot's ID", argument.idOf("a snapshot"))
    .requiredOption("--name <name>", "what it is for", argument.label)
    .addOption(
      new Option("--payer <who>", "who pays it out: its unit follows from that").choices(PAYER_NAMES),
    )
    .requiredOption(
      "--decimals <number>",
      "decimal places of the amounts",
      argument.wholeNumber(0, TOKEN_DECIMALS_MAX),
    )
    .addOption(new Option("--total <tokens>", "share this many tokens in proportion").conflicts("rate"))
    .option("--rate <tokens>", "give this many tokens per point")
    .option("--minimum <tokens>", "give nothing to holders who would get less (default: the least there is)")
    .option("--exclude <file>", "a list of addresses that get nothing")
    .action(onDatabase(make));
  allocation
    .command("list")
    .description("list allocations, published ones first")
    .option("--snapshot <id>", "only those of this snapshot", argument.idOf("a snapshot"))
    .action(onDatabase(list));
  const one = (name: string, description: string) =>
    allocation
      .command(name)
      .description(description)
      .requiredOption("--id <id>", "the allocation's ID", argument.idOf("an allocation"));
  one("publish", "let anyone read its claims; it can never be changed or deleted again").action(
    onDatabase(publish),
  );
  one("delete", "delete an allocation that is not published").action(onDatabase(remove));
  one("file", "write it in a form that other tools read")
    .addOption(new Option("--form <form>", "the form").choices(Object.keys(FILES)).makeOptionMandatory())
    .requiredOption("--out <file>", "a file that does not exist yet")
    .option("--token <address>", "the token's address, for the forms that name it", argument.address)
    .action(onDatabase(write));
}

interface MakeOptions {
  snapshot: string;
  name: string;
  payer?: Payer;
  decimals: number;
  total?: string;
  rate?: string;
  minimum?: string;
  exclude?: string;
}

/** Makes it, unless the running service has begun to. */
async function make(ctx: ServiceContext, options: MakeOptions) {
  const { id, leftOut } = await previewAndRequest(ctx, await requestOf(options));
  const allocation = await untilDone(async () => {
    await makeAllocations(ctx.db);
    const found = await getAllocation(ctx, { allocationId: id });
    return found.status === "RUNNING" ? null : found;
  });
  const text = [reportOf(allocation), ...(leftOut ? leftOutNotes(leftOut) : [])].join("\n");
  return { text, json: { ...allocation, leftOut }, exitCode: allocation.failure ? 1 : 0 };
}

async function requestOf(options: MakeOptions): Promise<RequestAllocationInput> {
  const { snapshot: snapshotId, name, payer, decimals, total, rate, minimum, exclude } = options;
  if ((total === undefined) === (rate === undefined)) throw invalid("Give either --total or --rate.");
  const parsed = RequestAllocationInput.safeParse({
    snapshotId,
    name,
    payer,
    decimals,
    ...(rate === undefined
      ? { rule: "PRO_RATA", total: baseUnits("--total", total!, decimals) }
      : { rule: "FIXED_RATE", rate }),
    ...(minimum !== undefined && { minimum: baseUnits("--minimum", minimum, decimals) }),
    ...(exclude !== undefined && { excluded: await readExcluded(exclude) }),
  });
  if (!parsed.success) throw invalidInput(parsed.error);
  return parsed.data;
}

function baseUnits(option: string, tokens: string, decimals: number): string {
  const units = parseTokens(tokens, decimals);
  if (units !== null && units > 0n) return String(units);
  throw invalid(
    `${option} must be a number of tokens above 0 and below 2^256 base units, ` +
      `with at most ${decimals} decimals. It is ${tokens}.`,
  );
}

/** Read as the console reads a list of addresses. */
async function readExcluded(file: string): Promise<string[]> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw invalid(`Cannot read ${file} (${error.code}).`);
  });
  try {
    const { addresses, errors } = readAddresses(await readContent(new Blob([bytes])), file);
    const [first] = errors;
    if (first) throw invalid(`Line ${first.line} of ${file}: ${first.message}`);
    return addresses;
  } catch (error) {
    throw error instanceof FileProblem ? invalid(`${file}: ${error.message}`) : error;
  }
}

const headOf = ({ id, name, status, publishedAt }: AllocationOut) =>
  `${id}  ${publishedAt ? "PUBLISHED" : status}  “${name}”`;

const listedOf = (allocation: AllocationOut) =>
  `${headOf(allocation)} of snapshot ${allocation.snapshotId}, as of ${allocation.asOf}`;

function reportOf(allocation: AllocationOut): string {
  const { failure, rule, decimals, claims, withoutClaim, excluded } = allocation;
  const { sum, dust, smallest, median, largest } = allocation;
  if (failure) return `${headOf(allocation)}\n${failure}`;
  const tokens = (units: string | null) => formatUnits(BigInt(units!), decimals);
  return [
    headOf(allocation),
    `${tokens(sum)} ${unitName(allocation.payer)} in ${counted(claims!, "claim", "claims")}; ` +
      `${counted(withoutClaim!, "holder gets", "holders get")} nothing; ` +
      `${counted(excluded, "address is", "addresses are")} left out`,
    `smallest ${tokens(smallest)}, median ${tokens(median)}, largest ${tokens(largest)}, ` +
      `${rule === "PRO_RATA" ? "added by rounding up" : "lost by rounding down"} ${tokens(dust)}`,
    ...Object.entries(allocation.roots!).map(([reader, root]) => `root for ${reader}: ${root ?? "none"}`),
  ].join("\n");
}

function* leftOutNotes({ addresses, holders, unknown, hasZero }: AllocationPreview["leftOut"]) {
  if (hasZero) yield "The zero address is left out, since nobody can spend what it gets.";
  const more = addresses - holders - unknown.length;
  if (unknown.length > 0)
    yield `Excluded, but without points: ${unknown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

async function list(ctx: ServiceContext, { snapshot }: { snapshot?: string }) {
  const allocations = await listAllocations(ctx, { snapshotId: snapshot });
  return { text: allocations.map(listedOf).join("\n") || "There are no allocations.", json: allocations };
}

type OneOptions = { id: string };

async function publish(ctx: ServiceContext, { id: allocationId }: OneOptions) {
  const allocation = await publishAllocation(ctx, { allocationId });
  return { text: reportOf(allocation), json: allocation };
}

async function remove(ctx: ServiceContext, { id: given }: OneOptions) {
  await deleteAllocation(ctx, { allocationId: given });
  return { text: `Deleted allocation ${given}.`, json: { id: given } };
}

type FileOptions = OneOptions & { form: FileFormName; out: string; token?: string };

async function write(ctx: ServiceContext, { id: allocationId, form, out, token }: FileOptions) {
  const { content, notes } = await allocationFile(ctx, { allocationId, form, tokenAddress: token });
  await writeNewFile(out, (open) => pipeline(Readable.from(content), open()));
  const { unit } = FILES[form];
  const text = [`Wrote ${out}, with amounts in ${unit}.`, ...notes].join("\n");
  return { text, json: { file: out, form, unit, notes } };
}
