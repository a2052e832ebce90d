/** By the name of the member: what it was, and what it is. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

type Members = Readonly<Record<string, unknown>>;

/**
 * Which members of something are others after a change than before it. Both are as the API shows them, so
 * that nothing secret is among them; members in `but` change by themselves. Undefined where all stayed.
 */
export function changesBetween(
  before: Members,
  after: Members,
  but: readonly string[] = [],
): Changes | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.flatMap((name) => {
    const [from = null, to = null] = [before[name], after[name]];
    const same = but.includes(name) || Bun.deepEquals(from, to);
    return same ? [] : [[name, { from, to }] as const];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}
