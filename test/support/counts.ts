/** Whether the suites run with the counts that take minutes. */
export const isFull = process.env.FAREGATE_TEST_FULL === "1";

/** Says that a run is one of everything in little time. Whoever names a suite has all of it. */
export const HURRY_VARIABLE = "FAREGATE_TEST_HURRY";
export const isHurried = process.env[HURRY_VARIABLE] === "1";

export function count(small: number, full: number): number {
  return isFull ? full : small;
}

/** Says which part of a suite a step runs, where the suite is divided among several: `2/4`. */
export const PART_VARIABLE = "FAREGATE_TEST_PART";

/** Whether what stands at this place of a list belongs to the part that this process runs; all of it does without parts. */
export function isOurs(place: number, part = process.env[PART_VARIABLE] ?? "1/1"): boolean {
  const [number = 1, parts = 1] = part.split("/").map(Number);
  return place % parts === number - 1;
}
