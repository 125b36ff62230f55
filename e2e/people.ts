export const PORT = Number(process.env.E2E_PORT ?? 3477);
export const BASE_URL = `http://127.0.0.1:${PORT}`;

export interface Person {
  email: string;
  password: string;
}

export const ADMIN: Person = { email: "admin@example.com", password: "correct horse battery" };
export const VIEWER: Person = { email: "viewer@example.com", password: "correct horse battery" };
/** For the journeys that end sessions, one each: they run at the same time, and those of the others are shared. */
export const ENDER: Person = { email: "ender@example.com", password: "correct horse battery" };
export const LEAVER: Person = { email: "leaver@example.com", password: "correct horse battery" };

/** The contract that most tests submit batches for. */
export const CONTRACT = `0x${"e2".repeat(20)}`;
