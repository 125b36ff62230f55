/** Either held by this process, or the current holder's description and a promise for its exit. */
export type Hold = { release(): Promise<void> } | { holder: string; gone: Promise<void> };

/**
 * Locks `folder` for `purpose` until released, or until this process ends for any reason.
 * @param folder must exist
 * @param introduce describes this process to others that want the lock, in one line
 */
export function acquireLock(purpose: string, folder: string, introduce: () => string): Promise<Hold>;

/** Whether a process holds the lock now. Leaves nothing open, so that a command can exit. */
export function isLocked(purpose: string, folder: string): Promise<boolean>;
