/** Held by this process, or what its holder says of itself and when it has gone. */
export type Hold = { release(): Promise<void> } | { holder: string; gone: Promise<void> };

/**
 * Holds the only `purpose` on `folder` until released or until this process ends, however it ends.
 * @param folder must exist. @param introduce tells whoever comes second about the holder, in one line.
 */
export function holdName(purpose: string, folder: string, introduce: () => string): Promise<Hold>;

/** Whether somebody holds it now. Keeps nothing open, so that a command can end. */
export function isHeld(purpose: string, folder: string): Promise<boolean>;
