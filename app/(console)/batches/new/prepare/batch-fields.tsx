"use client";
import type { BatchLimits } from "@/server/kernel/batch-limits";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { classNames } from "../../../../ui/class-names";
import { shortenHash } from "../../../../ui/hash-text";
import { TYPE_LABELS } from "../../status";
import type { Wait } from "../../wait";
import { WaitField } from "../../wait-field";
import { SelectField } from "./select-field";

export interface ContractChoice {
  address: string;
  label: string;
  issuance: "ON_DEMAND" | "PREFUNDED";
}

export interface BatchOptions {
  contractAddress: string;
  pointType: PointType;
  /** Null until somebody changes it: then the contract's latest choice applies. */
  wait: Wait | null;
}

interface BatchFieldsProps {
  contracts: readonly ContractChoice[];
  limits: BatchLimits;
  asOf: string;
  options: BatchOptions;
  /** What applies: the chosen wait, or the proposed one. */
  wait: Wait;
  /** The user tried to continue without choosing a contract. */
  unchosen: boolean;
  onChange: (change: Partial<BatchOptions>) => void;
}

export const CONTRACT_FIELD = "contractAddress";

const ISSUANCE_HINTS = {
  PREFUNDED: "Prefunded: it can send only points that it already has.",
  ON_DEMAND: "On demand: missing points are issued automatically.",
} as const satisfies Record<ContractChoice["issuance"], string>;

export function BatchFields({
  contracts,
  limits,
  asOf,
  options,
  wait,
  unchosen,
  onChange,
}: BatchFieldsProps) {
  const contract = contracts.find(({ address }) => address === options.contractAddress);
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
      <div className="md:col-span-2">
        <SelectField
          label="Contract"
          name={CONTRACT_FIELD}
          hint={contract ? ISSUANCE_HINTS[contract.issuance] : "The contract that sends the points."}
          error={unchosen ? "Choose a contract." : undefined}
          chosen={contract ? contracts.indexOf(contract) : null}
          options={contracts.map(({ address, label }) => `${label && `${label} · `}${shortenHash(address)}`)}
          onChoose={(option) => onChange({ contractAddress: contracts[option]!.address })}
        />
      </div>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-medium text-label">Point type</legend>
        <div className="flex gap-1.5">
          {POINT_TYPES.map((type) => (
            <label
              key={type}
              className={classNames(
                "flex h-9 flex-1 cursor-pointer items-center justify-center gap-2 rounded-control border text-body has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2",
                options.pointType === type
                  ? "border-accent bg-selected font-medium"
                  : "border-input-line bg-surface hover:bg-hover",
              )}
            >
              <input
                type="radio"
                name="pointType"
                className="sr-only"
                checked={options.pointType === type}
                onChange={() => onChange({ pointType: type })}
              />
              {TYPE_LABELS[type]}
            </label>
          ))}
        </div>
        <p className="text-label text-muted">
          At least {limits.minimumPoints[options.pointType]} per transfer
        </p>
      </fieldset>
      <WaitField wait={wait} limits={limits} asOf={asOf} onChange={(wait) => onChange({ wait })} />
    </div>
  );
}
