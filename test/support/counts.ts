/** Whether the suites run with the counts that take minutes. */
export const isFull = process.env.FAREGATE_TEST_FULL === "1";

export function count(small: number, full: number): number {
  return isFull ? full : small;
}
