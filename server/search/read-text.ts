export interface ReadText {
  /** One batch by contract and id, from a console URL. */
  batch: { contractAddress: string; id: string } | null;
  /** A possible id prefix. */
  id: string | null;
  /** An address or address prefix, in lower case. */
  address: string | null;
  /** A possible part of a contract label. */
  label: string | null;
}

const BATCH_PATH = /(?:^|\/)(0x[0-9a-fA-F]{40})\/([A-Za-z0-9._:~-]{1,64})\/?(?:[?#].*)?$/;
const ID = /^[A-Za-z0-9._:~-]{2,64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{1,40}$/;
const LABEL_CHARS_MAX = 80;

/** What the text could mean. Several at the same time, since an id can look like an address prefix. */
export function readText(text: string): ReadText {
  const word = text.trim();
  const path = BATCH_PATH.exec(decoded(word));
  const address = ADDRESS.test(word) ? word.toLowerCase() : null;
  return {
    batch: path ? { contractAddress: path[1]!, id: path[2]! } : null,
    id: ID.test(word) ? word : null,
    address,
    // Postgres cannot store NUL characters.
    label:
      word.length >= 2 && word.length <= LABEL_CHARS_MAX && !address && !/\0|\p{Surrogate}/u.test(word)
        ? word
        : null,
  };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
