/** One line of a text that was taken apart, and how deep it stands in it. */
export interface Line {
  readonly depth: number;
  readonly text: string;
}

export interface LineChange extends Line {
  readonly kind: "same" | "dropped" | "added";
}

/** Beyond so many changes nobody reads them one by one, and finding the fewest takes long. */
const CHANGES_MAX = 800;
const MIDDLE = CHANGES_MAX + 1;

/** Whether the furthest way onto a diagonal comes by taking a line in, not by leaving one out. */
function takesIn(reach: Int32Array, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  if (diagonal === changes) return false;
  return (reach[MIDDLE + diagonal - 1] ?? 0) < (reach[MIDDLE + diagonal + 1] ?? 0);
}

/**
 * How far each diagonal was reached before every further change, until both texts are used up;
 * undefined when that takes too many. (Myers' greedy algorithm.)
 */
function reaches(one: readonly Line[], two: readonly Line[]): readonly Int32Array[] | undefined {
  let reach = new Int32Array(2 * MIDDLE + 1);
  const trace: Int32Array[] = [];
  for (let changes = 0; changes <= CHANGES_MAX; changes++) {
    trace.push(reach);
    reach = reach.slice();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const isIn = takesIn(reach, diagonal, changes);
      const from = reach[MIDDLE + diagonal + (isIn ? 1 : -1)] ?? 0;
      let x = isIn ? from : from + 1;
      while (x < one.length && one[x]?.text === two[x - diagonal]?.text) x++;
      reach[MIDDLE + diagonal] = x;
      if (x >= one.length && x - diagonal >= two.length) return trace;
    }
  }
  return undefined;
}

const as = (kind: LineChange["kind"]) => (line: Line) => ({ ...line, kind });

/** The fewest lines to leave out and take in that make the second text of the first. */
function changesBetween(one: readonly Line[], two: readonly Line[]): readonly LineChange[] {
  const trace = reaches(one, two);
  if (trace === undefined) return [...one.map(as("dropped")), ...two.map(as("added"))];
  const backwards: LineChange[] = [];
  let [x, y] = [one.length, two.length];
  const go = (kind: LineChange["kind"]) => {
    if (kind !== "added") x--;
    if (kind !== "dropped") y--;
    // Of two equal lines the second text's is shown, since its depth may be another.
    const line = kind === "dropped" ? one[x] : two[y];
    if (line) backwards.push({ ...line, kind });
  };
  for (const [changes, reach] of [...trace.entries()].toReversed()) {
    const diagonal = x - y;
    const isIn = takesIn(reach, diagonal, changes);
    const fromX = changes === 0 ? 0 : (reach[MIDDLE + diagonal + (isIn ? 1 : -1)] ?? 0);
    const startX = isIn ? fromX : fromX + 1;
    while (x > (changes === 0 ? 0 : startX)) go("same");
    if (changes > 0) go(isIn ? "added" : "dropped");
  }
  return backwards.toReversed();
}

/** How two texts differ, line by line; how deep a line stands makes no difference. */
export function diffLines(before: readonly Line[], after: readonly Line[]): readonly LineChange[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head]?.text === after[head]?.text) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail)?.text === after.at(-1 - tail)?.text) tail++;
  const middle = changesBetween(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  );
  return [
    ...after.slice(0, head).map(as("same")),
    ...middle,
    ...after.slice(after.length - tail).map(as("same")),
  ];
}
