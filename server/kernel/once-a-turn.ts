/**
 * @returns a function that plans `run` for the end of this turn of the event loop, once however often it is
 * called. Requests arrive together, since those before them were answered together. Work that began with the
 * first of them would make the others wait for it.
 */
export function onceATurn(run: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      run();
    });
  };
}
