export function isSame(one: unknown, two: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}

/** What is another than before. What is not said stays what it is, or what somebody else has made of it. */
export function changed<Values extends object>(after: Values, before: Values): Partial<Values> {
  const entries = Object.entries(after).filter(
    ([name, value]) => !isSame(value, before[name as keyof Values & string]),
  );
  return Object.fromEntries(entries) as Partial<Values>;
}
