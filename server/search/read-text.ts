export interface ReadText {
  /** One batch named by contract and id, as in the console's addresses. */
  batch: { contractAddress: string; id: string } | null;
  /** What an id may begin with. */
  id: string | null;
  /** An address in lower case, or its beginning. */
  address: string | null;
  /** What a contract's label may contain. */
  label: string | null;
}

const BATCH_PATH = /(?:^|\/)(0x[0-9a-fA-F]{40})\/([A-Za-z0-9._:~-]{1,64})\/?(?:[?#].*)?$/;
const ID = /^[A-Za-z0-9._:~-]{2,64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{1,40}$/;
const LABEL_CHARS_MAX = 80;

/** What a text could be: several things at once, for an id may look like the beginning of an address. */
export function readText(text: string): ReadText {
  const word = text.trim();
  const path = BATCH_PATH.exec(decoded(word));
  const address = ADDRESS.test(word) ? word.toLowerCase() : null;
  return {
    batch: path ? { contractAddress: path[1]!, id: path[2]! } : null,
    id: ID.test(word) ? word : null,
    address,
    // Postgres stores no NUL.
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
