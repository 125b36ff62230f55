const KEY = Symbol.for("point-transfer-batches.singles");

/**
 * One instance per process, for the pool, settings and so on. The host and Next's bundles each load their own copy of a
 * module, so module state is not enough.
 */
export function single<T>(name: string, make: () => T): T {
  const holder = globalThis as { [KEY]?: Map<string, unknown> };
  holder[KEY] ??= new Map();
  const singles = holder[KEY];
  if (!singles.has(name)) singles.set(name, make());
  return singles.get(name) as T;
}
