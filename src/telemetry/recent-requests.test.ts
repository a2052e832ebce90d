import { expect, test } from "bun:test";
import { RECENT_MS, RecentRequests } from "./recent-requests.ts";

test("requests of the last minutes are counted by how they ended, and then forgotten", () => {
  let nowMs = 1_800_000_000_000;
  const recent = new RecentRequests(() => nowMs);
  recent.add(200, 1);
  recent.add(400, 1);
  recent.add(502, 1);
  nowMs += RECENT_MS / 2;
  recent.add(503, 3);
  expect(recent.counts()).toEqual({ requests: 6, failures: 4, unavailable: 3 });
  nowMs += RECENT_MS / 2;
  expect(recent.counts()).toEqual({ requests: 3, failures: 3, unavailable: 3 });
  nowMs += RECENT_MS * 5;
  recent.add(200, 1);
  expect(recent.counts()).toEqual({ requests: 1, failures: 0, unavailable: 0 });
  nowMs -= RECENT_MS * 5;
  recent.add(200, 1);
  expect(recent.counts()).toEqual({ requests: 1, failures: 0, unavailable: 0 });
});
