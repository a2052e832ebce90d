/** A call of the system that the file system refuses with this code. */
export function refusedWith(code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: refused by the file system`), { code });
  };
}
