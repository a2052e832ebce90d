import { describe, expect, test } from "bun:test";
import { type Box, placeFor } from "./toast-position.ts";

const AREA: Box = { left: 240, top: 16, right: 1264, bottom: 784 };
const SIZE = { width: 360, height: 52 };
const box = (left: number, top: number, right: number, bottom: number): Box => ({
  ...{ left, top, right, bottom },
});

function covers({ left, top }: { left: number; top: number }, obstacle: Box): boolean {
  return (
    left < obstacle.right &&
    left + SIZE.width > obstacle.left &&
    top < obstacle.bottom &&
    top + SIZE.height > obstacle.top
  );
}

describe("a message", () => {
  test("stands in the corner where nothing is in its way", () => {
    expect(placeFor(SIZE, AREA, [])).toEqual({ left: 904, top: 732, free: true });
  });

  test("stands above the buttons at the foot of a drawer", () => {
    const foot = box(1060, 755, 1246, 789);
    const place = placeFor(SIZE, AREA, [foot]);
    expect(place).toMatchObject({ left: 904, free: true });
    expect(covers(place, foot)).toBe(false);
  });

  test("stands beside a column that is full of them", () => {
    const column = Array.from({ length: 20 }, (_, at) => box(1200, at * 40, 1240, at * 40 + 36));
    const place = placeFor(SIZE, AREA, column);
    expect(place).toEqual({ left: 572, top: 732, free: true });
  });

  test("stays where it is until something comes in its way", () => {
    const current = { left: 904, top: 300 };
    expect(placeFor(SIZE, AREA, [], current)).toEqual({ ...current, free: true });
    const came = box(1000, 310, 1100, 340);
    const moved = placeFor(SIZE, AREA, [came], current);
    expect(covers(moved, came)).toBe(false);
    const narrow = { ...AREA, right: 900 };
    expect(placeFor(SIZE, narrow, [], current).left + SIZE.width).toBeLessThanOrEqual(900);
  });

  test("covers as little as it can where there is no room, and says so", () => {
    const everywhere = [box(0, 0, 1280, 700), box(0, 700, 700, 800)];
    const place = placeFor(SIZE, AREA, everywhere);
    expect(place).toMatchObject({ top: 732 });
    const phone = { left: 16, top: 64, right: 374, bottom: 828 };
    const wide = { width: 358, height: 60 };
    expect(placeFor(wide, phone, [box(0, 0, 390, 844)]).free).toBe(false);
  });
});
