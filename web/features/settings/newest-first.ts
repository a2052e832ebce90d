interface Dated {
  readonly id: string;
  readonly createdAt: string | null;
}

/** What the sign-in library lists comes as its database happens to keep it; this is its order. */
export function newestFirst<T extends Dated>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => {
    const [ours, theirs] = [a.createdAt ?? "", b.createdAt ?? ""];
    if (ours !== theirs) return ours < theirs ? 1 : -1;
    return a.id < b.id ? 1 : -1;
  });
}
