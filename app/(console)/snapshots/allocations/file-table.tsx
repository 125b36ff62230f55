"use client";
import { useState } from "react";
import { ADDRESS_RULE, AddressInput } from "@/app/(console)/contracts/contract-fields";
import { allocationFilePath } from "@/app/(console)/paths";
import { DownloadLink, TextLink } from "@/app/ui/button";
import { DataTable } from "@/app/ui/data-table";
import { CheckBox } from "@/app/ui/fields";
import { HashText } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { addressError } from "@/terms/address-text";

export interface FileRow {
  form: string;
  /** For who pays it out. */
  isOwn: boolean;
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

const CHECK_UNIT = "Check the unit: no tool can see whether amounts are tokens or base units. ";

export function FileTable({ allocationId, files }: { allocationId: string; files: FileRow[] }) {
  const [isAll, setAll] = useState(false);
  const [typed, setTyped] = useState("");
  const token = typed.trim();
  const isToken = addressError(token) === null;
  const shown = isAll ? files : files.filter(({ isOwn }) => isOwn);
  return (
    <Section
      title="Download"
      note={
        <>
          {shown.some(({ form }) => form !== "pay") && CHECK_UNIT}
          <TextLink href="/docs/claims#4-hand-over-the-list">Which tool reads what</TextLink>
          {shown.some(({ form }) => form === "openzeppelin") && (
            <>
              {" · "}
              <TextLink href="/docs/verify#paid-out-by-a-contract">Solidity that checks the proofs</TextLink>
            </>
          )}
        </>
      }
      actions={
        files.some(({ isOwn }) => !isOwn) && (
          <CheckBox checked={isAll} onChange={() => setAll(!isAll)}>
            Show other formats
          </CheckBox>
        )
      }
    >
      {shown.some(({ needsToken, refusal }) => needsToken && !refusal) && (
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
        label="Table of files"
        rows={shown}
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
          { name: "Amounts in", render: ({ unit }) => <span className="whitespace-nowrap">{unit}</span> },
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
              if (needsToken && !isToken) return <span className="text-muted">Needs the token address</span>;
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
