const KEY = Symbol.for("point-transfer-batches.singles");

/**
 * One instance per process of what must be single (pool, settings, scheduler): the host's server and Next's bundles
 * load the same module twice.
 */
export function single<T>(name: string, make: () => T): T {
  const holder = globalThis as { [KEY]?: Map<string, unknown> };
  holder[KEY] ??= new Map();
  const singles = holder[KEY];
  if (!singles.has(name)) singles.set(name, make());
  return singles.get(name) as T;
}
