// Where messages stand: never on something that could be pressed, as far as there is room beside it.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Position {
  readonly left: number;
  readonly top: number;
  /** Nothing lies below it. */
  readonly free: boolean;
}

const STEP_PX = 12;

function boxAt({ width, height }: Size, left: number, top: number): Box {
  return { left, top, right: left + width, bottom: top + height };
}

function shared(one: Box, two: Box): number {
  const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
  const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
  return across > 0 && down > 0 ? across * down : 0;
}

function covered(box: Box, obstacles: readonly Box[]): number {
  return obstacles.reduce((sum, obstacle) => sum + shared(box, obstacle), 0);
}

/** The places that are tried, the usual one first: from the corner up, then beside it. */
function* tried(size: Size, area: Box): Generator<readonly [number, number]> {
  const room = area.right - area.left - size.width;
  const columns = room > 0 ? [1, 0.5, 0] : [0];
  for (const part of columns) {
    for (let top = area.bottom - size.height; top >= area.top; top -= STEP_PX) {
      yield [area.left + Math.max(0, room) * part, top];
    }
  }
}

/**
 * The first place where it covers nothing; where there is none, the one where it covers the least. It
 * stays where it is for as long as that is good: what jumps about is hard to read.
 */
export function placeFor(
  size: Size,
  area: Box,
  obstacles: readonly Box[],
  current?: Pick<Position, "left" | "top">,
): Position {
  const fits =
    current && current.left + size.width <= area.right && current.top + size.height <= area.bottom;
  if (fits && covered(boxAt(size, current.left, current.top), obstacles) === 0) {
    return { left: current.left, top: current.top, free: true };
  }
  let least = Number.POSITIVE_INFINITY;
  let best: Position = { left: area.left, top: area.top, free: false };
  for (const [left, top] of tried(size, area)) {
    const found = covered(boxAt(size, left, top), obstacles);
    if (found === 0) return { left, top, free: true };
    if (found >= least) continue;
    least = found;
    best = { left, top, free: false };
  }
  return best;
}
