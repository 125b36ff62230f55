/**
 * @returns a function that plans `run` for the end of this turn of the event loop, once however often it is
 * called. Requests arrive together, since those before them were answered together. Whoever starts with the
 * first of them leaves the others waiting for it.
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
