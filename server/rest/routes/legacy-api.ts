import { LEGACY_ASSETS } from "@/server/kernel/env";
import { settings } from "@/server/kernel/settings";
import type { PointType } from "@/terms/batch-terms";

/** All of `LEGACY_API` (docs/migrate.md), except the zero address, which is a limit of a batch. */
const LEGACY_NAMES = { LIQUIDITY: "PHASE2_POINTS", DEVELOPER: "PHASE2_GOLD" } as const satisfies Record<
  string,
  PointType
>;

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const legacyApiIsOn = () => settings().LEGACY_API === "true";

const isLegacyName = (name: unknown): name is keyof typeof LEGACY_NAMES =>
  legacyApiIsOn() && typeof name === "string" && Object.hasOwn(LEGACY_NAMES, name);

/** Replaces a legacy point name in the input with the current one. */
export function withCurrentNames(input: Fields): Fields {
  const { pointType } = input;
  return isLegacyName(pointType) ? { ...input, pointType: LEGACY_NAMES[pointType] } : input;
}

/**
 * Adds the legacy fields to a reply: `batches`, balances under all names, and `byAsset`. A request that said
 * a legacy point name is answered with it. Nothing is remembered: a reply must not depend on another caller.
 */
export function withLegacyNames(plainReply: unknown, { pointType }: Fields = {}): unknown {
  const reply = isLegacyName(pointType) ? named(plainReply, pointType) : plainReply;
  if (!legacyApiIsOn() || !isFields(reply)) return reply;
  if (Array.isArray(reply.batch)) return { ...reply, batches: reply.batch };
  if (!isFields(reply.balancesByPointType)) return reply;
  const balances = { ...reply.balancesByPointType };
  const points = balances.PHASE2_POINTS as Fields;
  balances.PHASE2_POINTS = { ...points, byAsset: byAsset(points.earnedCumulative) };
  for (const [legacy, name] of Object.entries(LEGACY_NAMES)) balances[legacy] = balances[name];
  return { ...reply, balancesByPointType: balances };
}

/** All of it under one asset, since callers compare the sum with the whole. Here, points are of no asset. */
function byAsset(earned: unknown): Fields {
  const { LEGACY_ASSET } = settings();
  const parts = LEGACY_ASSETS.map((asset) => [
    asset,
    { earnedCumulative: asset === LEGACY_ASSET ? earned : "0", earnedCumulativeBlock: 0 },
  ]);
  return Object.fromEntries(parts);
}

function named(value: unknown, name: keyof typeof LEGACY_NAMES): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, name));
  if (!isFields(value)) return value;
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    key === "pointType" && field === LEGACY_NAMES[name] ? name : named(field, name),
  ]);
  return Object.fromEntries(fields);
}
