import { expect, test } from "bun:test";
import { readTable } from "./syscalls.ts";

const TABLE = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 61.15    0.012345          12      1000           epoll_pwait2
 30.00    0.006000           6       900       100 recvfrom
  8.85    0.001770           3       500           fdatasync
------ ----------- ----------- --------- --------- ----------------
100.00    0.020115           8      2400       100 total
`;

test("the table of strace is read by the names of the calls, with and without errors", () => {
  const { total, byName } = readTable(TABLE);
  expect(total).toBe(2400);
  expect(Object.fromEntries(byName)).toEqual({ epoll_pwait2: 1000, recvfrom: 900, fdatasync: 500 });
});

test("what is no table has no calls", () => {
  expect(readTable("strace: attach: Operation not permitted\n").total).toBe(0);
});
