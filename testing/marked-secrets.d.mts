export const SECRET_MARK: string;
export const MARKED_SECRETS: Record<
  "AUTH_SECRET" | "CRON_SECRET" | "ADMIN_PASSWORD" | "DATABASE_URL" | "PUBLIC_URL" | "RPC_URL",
  string
>;
