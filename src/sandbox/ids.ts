const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
const LENGTH = 24;

/** Makes identifiers such as `resp_…` from the given source of chance. */
export type MakeId = (prefix: string) => string;

export function createIds(random: () => number): MakeId {
  return (prefix) => {
    let id = prefix;
    for (let count = 0; count < LENGTH; count += 1) {
      id += LETTERS[Math.floor(random() * LETTERS.length)];
    }
    return id;
  };
}
