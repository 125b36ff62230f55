import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SETTINGS } from "@/server/kernel/env";

interface Manifest {
  apiVersion: string;
  kind: string;
  spec: { template?: { spec: { containers: { env?: { name: string; value: string }[] }[] } } };
}

const CACHE = "testing/node_modules/.cache";
const OPTIONS =
  "--noEmit --ignoreConfig --strict --skipLibCheck --target es2023 --module esnext --moduleResolution bundler";

/** What the compiler says of the manifests as literals of Kubernetes' types, which also refuse unknown names. */
function complaintsAbout(manifests: Manifest[]): string {
  const lines = manifests.map(
    ({ apiVersion, kind, ...rest }, index) =>
      `const m${index}: import("kubernetes-models/${apiVersion}").I${kind} = ${JSON.stringify({ apiVersion, kind, ...rest })};`,
  );
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(`${CACHE}/manifests.ts`, `${lines.join("\n")}\nexport {};\n`);
  const words = ["node_modules/typescript/bin/tsc", ...OPTIONS.split(" "), `${CACHE}/manifests.ts`];
  try {
    return execFileSync(process.execPath, words, { encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test("deploy/kubernetes.yaml is what Kubernetes accepts, with settings that exist", async () => {
  const yaml = "yaml";
  const { parseAllDocuments } = (await import(yaml)) as {
    parseAllDocuments(text: string): { toJS(): Manifest }[];
  };
  const manifests = parseAllDocuments(readFileSync("deploy/kubernetes.yaml", "utf8")).map((one) =>
    one.toJS(),
  );
  expect(manifests.map(({ kind }) => kind)).toEqual(["Job", "Deployment", "Service", "PodDisruptionBudget"]);
  expect(complaintsAbout(manifests)).toBe("");
  for (const container of manifests.flatMap(({ spec }) => spec.template?.spec.containers ?? []))
    for (const { name, value } of container.env ?? [])
      expect(SETTINGS[name as keyof typeof SETTINGS].safeParse(value), name).toMatchObject({ success: true });
});
