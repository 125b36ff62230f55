export const PORT = Number(process.env.E2E_PORT ?? 3477);
export const BASE_URL = `http://127.0.0.1:${PORT}`;

export interface Person {
  email: string;
  password: string;
}

export const ADMIN: Person = { email: "admin@example.com", password: "correct horse battery" };
export const VIEWER: Person = { email: "viewer@example.com", password: "correct horse battery" };
/** For the journey that ends sessions, since the other journeys share theirs. */
export const ENDER: Person = { email: "ender@example.com", password: "correct horse battery" };

/** Two people of a separate app. */
export const FIRST: Person = { email: "first@example.com", password: "correct horse battery" };
export const SECOND: Person = { email: "second@example.com", password: "correct horse battery" };

/** The contract that most tests submit batches for. */
export const CONTRACT = `0x${"e2".repeat(20)}`;
