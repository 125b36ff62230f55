/** Transfers that become due in one minute. */
export interface DueMinute {
  /** Start of the minute, Unix milliseconds. */
  atMs: number;
  transfers: number;
}

/** Minutes in a row in which more is due than can be finalized, until everything due is finalized. */
export interface LateWave {
  /** When the first of its batches are due, RFC 3339. */
  from: string;
  /** Transfers due during the wave, those that are finalized in time included. */
  transfers: number;
  /** When the last of them is finalized, RFC 3339, to the minute. */
  doneAt: string;
  /** How late the latest of them is, in minutes, rounded up. */
  minutesLate: number;
}

const MINUTE_MS = 60_000;
/** The console warns of overdue batches after this time. */
const LATE_MINUTES = 1;

/**
 * Finalizes what is due in the order of due times, `perMinute` transfers each minute, and reports where that is too slow.
 * @param due minutes in which something is due, ascending; what is overdue belongs to the first
 */
export function lateWaves(due: readonly DueMinute[], perMinute: number): LateWave[] {
  const waves: LateWave[] = [];
  for (let first = 0; first < due.length; ) {
    const wave = waveFrom(due, first, perMinute);
    if (wave.minutesLate > LATE_MINUTES) waves.push(toLateWave(wave));
    first = wave.end;
  }
  return waves;
}

interface Wave {
  fromMs: number;
  transfers: number;
  doneMs: number;
  minutesLate: number;
  /** Index of the first minute after the wave. */
  end: number;
}

/** The wave that starts in a minute and lasts until nothing is left, perhaps only that minute. */
function waveFrom(due: readonly DueMinute[], first: number, perMinute: number): Wave {
  const fromMs = due[first]!.atMs;
  const wave: Wave = { fromMs, transfers: 0, doneMs: fromMs, minutesLate: 0, end: first };
  while (wave.end < due.length && due[wave.end]!.atMs <= wave.doneMs) {
    const { atMs, transfers } = due[wave.end]!;
    wave.transfers += transfers;
    wave.doneMs = fromMs + (wave.transfers / perMinute) * MINUTE_MS;
    wave.minutesLate = Math.max(wave.minutesLate, (wave.doneMs - atMs) / MINUTE_MS);
    wave.end += 1;
  }
  return wave;
}

const toLateWave = ({ fromMs, transfers, doneMs, minutesLate }: Wave): LateWave => ({
  from: new Date(fromMs).toISOString(),
  transfers,
  doneAt: new Date(Math.ceil(doneMs / MINUTE_MS) * MINUTE_MS).toISOString(),
  minutesLate: Math.ceil(minutesLate),
});
