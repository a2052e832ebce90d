/** A list that counts how often its elements are looked at, to tell one look at each from one for each two. */
export function countedList<T>(elements: readonly T[]): { readonly list: T[]; looks(): number } {
  let looks = 0;
  const list = new Proxy([...elements], {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d/.test(name)) looks++;
      return Reflect.get(target, name, receiver);
    },
  });
  return { list, looks: () => looks };
}
