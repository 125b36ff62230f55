import { createHash, randomUUID } from "node:crypto";
import { realpathSync, renameSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join, relative } from "node:path";

const ANSWER_MS = 2000;

/** With the suffix of `removeStale`, within the 103 bytes that macOS allows. */
const PATH_BYTES_MAX = 94;

/**
 * An abstract socket or a named pipe, which the kernel releases however its holder dies. Elsewhere a socket
 * in the folder, since anyone could take a name in /tmp.
 */
function socketPath(purpose, folder) {
  const real = realpathSync(folder);
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 32);
  const name = `point-transfer-batches-${purpose}-${hash}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  if (process.platform === "linux") return `\0${name}`;
  const file = join(real, `.${purpose}.sock`);
  const fromHere = relative(process.cwd(), file);
  const path = fromHere.length < file.length ? `./${fromHere}` : file;
  if (Buffer.byteLength(path) > PATH_BYTES_MAX)
    throw new Error(`The path ${real} is too long for a lock. Choose a shorter one.`);
  return path;
}

/**
 * Locks `folder` for `purpose` until released, or until this process ends for any reason. If another process
 * has the lock, it returns that process's description, and a promise for its exit.
 * @param {string} purpose
 * @param {string} folder must exist
 * @param {() => string} introduce describes this process to others that want the lock, in one line
 * @returns {Promise<{ release(): Promise<void> } | { holder: string, gone: Promise<void> }>}
 */
export async function acquireLock(purpose, folder, introduce) {
  const path = socketPath(purpose, folder);
  for (;;) {
    const server = await listen(path, introduce);
    if (server) return { release: () => new Promise((resolve) => server.close(() => resolve())) };
    const holder = await ask(path);
    if (holder) return holder;
    if (/^[./]/.test(path)) await removeStale(path);
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Removes the socket of a process that has ended. One that another process made meanwhile is put back. */
async function removeStale(path) {
  const aside = `${path}.${randomUUID().slice(0, 8)}`;
  try {
    renameSync(path, aside);
    if (await ask(aside)) renameSync(aside, path);
    else rmSync(aside);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

/** The other process as above, or null when the lock is free. */
export function currentHolder(purpose, folder) {
  return ask(socketPath(purpose, folder));
}

/**
 * Whether a process holds the lock now. Leaves nothing open, so that a command can exit.
 * @param {string} purpose
 * @param {string} folder
 * @returns {Promise<boolean>}
 */
export function isLocked(purpose, folder) {
  return new Promise((resolve) => {
    const socket = connect(socketPath(purpose, folder), () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function listen(path, introduce) {
  return new Promise((resolve, reject) => {
    const open = new Set();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => open.delete(socket));
      socket.unref();
      socket.write(`${introduce()}\n`);
    });
    const close = server.close.bind(server);
    server.close = (done) => {
      for (const socket of open) socket.destroy();
      return close(done);
    };
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(null) : reject(error)));
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** The holder's description, or null when nothing listens there. */
function ask(path) {
  return new Promise((resolve) => {
    const socket = connect(path);
    let received = "";
    const gone = new Promise((ended) => socket.once("close", () => ended()));
    const answer = () => resolve({ holder: received.trim(), gone });
    const timer = setTimeout(answer, ANSWER_MS);
    socket.setEncoding("utf8");
    socket.on("data", (text) => {
      received += text;
      if (received.includes("\n")) answer();
    });
    socket.on("error", () => resolve(null));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}
