"use client";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleCheck, CircleX, Undo2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/ui/button";
import { Dialog } from "@/app/ui/dialogs";
import { TextField } from "@/app/ui/fields";
import { HashText } from "@/app/ui/hash-text";
import type { Problem } from "@/terms/problems";

const ROOT = /^0x[0-9a-f]{64}$/;

/** What the page shows, and where its proof is. */
export interface Verified {
  words: {
    title: string;
    /** What the root is of. */
    of: string;
    proven: string;
    /** Who can be asked about the root. */
    publisher: string;
  };
  /** Of the button. */
  name: string;
  description: string;
  /** No proof says so. */
  isTakenBack?: boolean;
  path: string;
  leafTypes: readonly string[];
  /** The leaf is made from what the page shows. The reply gives only the proof, and a position. */
  read: (reply: unknown) => { root: string; proof: string[]; leaf: string[] };
}

/** Computes the proof in the browser, against the service's root or one that was published elsewhere. */
export default function VerifyDialog({ verified, close }: { verified: Verified; close: () => void }) {
  const { words, description, path } = verified;
  const [given, setGiven] = useState("");
  const published = given.trim().toLowerCase();
  const isRoot = ROOT.test(published);
  const proof = useQuery({
    queryKey: ["proof", path],
    queryFn: () => fetchProof(verified),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const isGood = proof.data?.proves(isRoot ? published : proof.data.root);
  const look = !isGood ? "bad" : verified.isTakenBack ? "undone" : "good";
  return (
    <Dialog close={close} title={words.title} description={description}>
      <div className="mt-4 flex flex-col gap-4">
        <div role="status" className="flex flex-col gap-2">
          {proof.isPending && <p className="text-muted text-table">Computing the proof…</p>}
          {proof.error && <Result look="bad">{proof.error.message}</Result>}
          {isGood !== undefined && <Result look={look}>{wordsOf(verified, isGood, isRoot)}</Result>}
        </div>
        {proof.data && (
          <div className="text-table">
            <p className="text-muted">Root of the {words.of}, from this service</p>
            <HashText value={proof.data.root} what="root" form="whole" />
          </div>
        )}
        <TextField
          label={`Root that ${words.publisher} published (optional)`}
          hint={`For example on a blockchain. Ask ${words.publisher} where.`}
          error={given !== "" && !isRoot ? "A root is 0x followed by 64 hex digits." : undefined}
          value={given}
          onChange={(event) => setGiven(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          className="mono"
        />
        <div className="flex justify-end">
          <Button onClick={close}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

export function wordsOf({ isTakenBack, words }: Verified, isGood: boolean, isPublished: boolean): string {
  const since = isTakenBack ? "Taken back later: the wallet no longer has these points. " : "";
  if (isPublished)
    return isGood
      ? `${since}Proven. The published root contains exactly ${words.proven}.`
      : `Not proven. Check that the root belongs to this ${words.of}, then ask ${words.publisher}.`;
  return isGood
    ? `${since}The proof matches this service’s root. ` +
        `To be sure, enter the root that ${words.publisher} published.`
    : "The proof does not match this service’s own root. Report this to the people who run the service.";
}

const LOOKS = {
  good: { icon: CircleCheck, color: "bg-finalized-ground text-finalized" },
  undone: { icon: Undo2, color: "bg-cancelled-ground text-cancelled" },
  bad: { icon: CircleX, color: "bg-danger-ground text-danger" },
} as const;

function Result({ look, children }: { look: keyof typeof LOOKS; children: string }) {
  const { icon: Icon, color } = LOOKS[look];
  return (
    <p className={clsx("flex gap-2 rounded-control px-3 py-2 text-table", color)}>
      <Icon size={16} className="mt-0.5 shrink-0" />
      {children}
    </p>
  );
}

async function fetchProof({ path, leafTypes, read }: Verified) {
  const reply = await fetch(path);
  const body = (await reply.json().catch(() => null)) as Problem | null;
  if (!reply.ok || !body) throw new Error(body?.detail ?? "The proof could not be loaded. Try again.");
  const { root, proof, leaf } = read(body);
  const { StandardMerkleTree } = await import("@openzeppelin/merkle-tree");
  return {
    root,
    proves: (other: string) => StandardMerkleTree.verify(other, [...leafTypes], leaf, proof),
  };
}
