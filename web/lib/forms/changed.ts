export function isSame(one: unknown, two: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}

/** What is another than before. What is not said stays what it is, or what somebody else has made of it. */
export function changed<Wishes extends object>(after: Wishes, before: Wishes): Partial<Wishes> {
  const entries = Object.entries(after).filter(
    ([name, value]) => !isSame(value, before[name as keyof Wishes & string]),
  );
  return Object.fromEntries(entries) as Partial<Wishes>;
}
