"use client";
import { useState } from "react";
import { ADDRESS_RULE, AddressInput } from "@/app/(console)/contracts/contract-fields";
import { allocationFilePath } from "@/app/(console)/paths";
import { Button, DownloadLink } from "@/app/ui/button";
import { DataTable } from "@/app/ui/data-table";
import { HashText } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { addressError } from "@/terms/address-text";

export interface FileRow {
  form: string;
  name: string;
  readBy: string;
  unit: string;
  /** Of the contracts that read it. */
  root: { name: string; value: string } | null;
  /** It names the token. */
  needsToken: boolean;
  notes: string[];
  /** Why it cannot be written. */
  refusal: string | null;
}

interface FileTableProps {
  title: string;
  allocationId: string;
  files: FileRow[];
}

const CHECK_UNIT = "Check the unit: no tool can see whether amounts are tokens or base units";

export function FileTable({ title, allocationId, files }: FileTableProps) {
  const [typed, setTyped] = useState("");
  const token = typed.trim();
  const isToken = addressError(token) === null;
  const hasUnits = files.some(({ form }) => form !== "pay");
  const isOffered = files.some(({ needsToken, refusal }) => needsToken && refusal === null);
  return (
    <Section title={title} note={hasUnits && CHECK_UNIT}>
      {isOffered && (
        <div className="max-w-[640px]">
          <AddressInput
            label="Token address"
            hint="The token’s contract. Files for Safe and Merkl name it."
            error={token === "" || isToken ? undefined : ADDRESS_RULE}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
      <DataTable
        label={`${title}: files`}
        rows={files}
        keyOf={({ form }) => form}
        columns={[
          {
            name: "File",
            isRowHeader: true,
            render: ({ name, notes, refusal }) => (
              <span className="flex flex-col py-1">
                <span className="font-medium">{name}</span>
                {notes.map((note) => (
                  <span key={note} className="text-label text-overdue">
                    {note}
                  </span>
                ))}
                {refusal && <span className="wrap-anywhere hint">{refusal}</span>}
              </span>
            ),
          },
          { name: "Read by", render: ({ readBy }) => <span className="wrap-anywhere">{readBy}</span> },
          { name: "Amounts in", render: ({ unit }) => unit },
          {
            name: "Merkle root",
            render: ({ root }) =>
              root ? (
                <span className="flex flex-wrap items-center gap-x-2">
                  <HashText value={root.value} what={`${root.name} root`} />
                  <span className="hint">{root.name}</span>
                </span>
              ) : (
                <span className="text-muted">–</span>
              ),
          },
          {
            name: "Download",
            render: ({ form, name, needsToken, refusal }) => {
              if (refusal) return <span className="text-muted">Not possible</span>;
              if (needsToken && !isToken)
                return (
                  <Button size="small" disabled title="Enter the token’s address first">
                    Download
                  </Button>
                );
              return (
                <DownloadLink
                  href={allocationFilePath(allocationId, form, needsToken ? token : undefined)}
                  aria-label={`Download “${name}”`}
                  size="small"
                >
                  Download
                </DownloadLink>
              );
            },
          },
        ]}
      />
    </Section>
  );
}
