// Batches with nested transfers in Payload CMS, as lean as its settings allow: no sign-in, no versions, no admin panel,
// no drafts or locales, no GraphQL; every write in a transaction, as Payload has it by default.
import { postgresAdapter } from "@payloadcms/db-postgres";
import { buildConfig } from "payload";
import { migrations } from "./migrations/index.js";
import { checkAddress, checkPoints, checkRows, POINT_TYPES, STATUSES } from "./rules.js";

const WAIT_SECONDS_MAX = 86_400;
const anyone = () => true;

const batches = {
  slug: "batches",
  access: { create: anyone, read: anyone },
  lockDocuments: false,
  disableDuplicate: true,
  enableQueryPresets: false,
  hooks: { beforeChange: [beginPending] },
  fields: [
    { name: "contractAddress", type: "text", required: true, index: true, validate: checkAddress },
    { name: "pointType", type: "select", required: true, options: POINT_TYPES },
    {
      name: "secondsToFinalize",
      type: "number",
      required: true,
      defaultValue: WAIT_SECONDS_MAX,
      min: 3600,
      max: WAIT_SECONDS_MAX,
    },
    { name: "finalizeAt", type: "date", required: true, index: true },
    { name: "status", type: "select", required: true, options: STATUSES },
    {
      name: "transfers",
      type: "array",
      required: true,
      validate: checkRows,
      fields: [
        { name: "toAddress", type: "text", required: true, validate: checkAddress },
        // Text, for Payload's numbers are floats.
        { name: "points", type: "text", required: true, validate: checkPoints },
      ],
    },
  ],
};

/** Callers do not say when a batch is final, nor its status. */
function beginPending({ data, operation }) {
  if (operation !== "create") return data;
  data.status = "PENDING";
  // Fields are validated after this; a wrong number of seconds is refused there.
  const finalizeAt = new Date(Date.now() + data.secondsToFinalize * 1000);
  if (!Number.isNaN(finalizeAt.getTime())) data.finalizeAt = finalizeAt.toISOString();
  return data;
}

export default buildConfig({
  secret: process.env.PAYLOAD_SECRET ?? "",
  telemetry: false,
  defaultDepth: 0,
  graphQL: { disable: true },
  typescript: { autoGenerate: false },
  logger: { options: { level: "warn" } },
  collections: [batches],
  db: postgresAdapter({
    pool: { connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_MAX ?? 10) },
    push: false,
    prodMigrations: migrations,
    migrationDir: "migrations",
  }),
});
