import { expect, test } from "bun:test";
import { type Moment, Streak } from "./streak.ts";

const SILENCE_MS = 10_000;
const BEAT_MS = 5_000;

/** A process that has heard of the database for so long, and where both clocks stand then. */
function heardFor(ms: number): { streak: Streak; now: Moment } {
  const streak = new Streak(SILENCE_MS);
  const at = (past: number) => ({ ownMs: 7_000 + past, databaseMs: 1_760_000_000_000 + past });
  for (let past = 0; past <= ms; past += BEAT_MS) streak.add(at(past));
  return { streak, now: at(ms) };
}

const later = ({ ownMs, databaseMs }: Moment, own: number, database = own): Moment => ({
  ownMs: ownMs + own,
  databaseMs: databaseMs + database,
});

test("one that has only begun has seen nothing", () => {
  expect(heardFor(0).streak.lengthMs).toBe(0);
  expect(new Streak(SILENCE_MS).lengthMs).toBe(0);
});

test("answers that follow each other add up, and a short silence between them is none", () => {
  const { streak, now } = heardFor(20_000);
  expect(streak.lengthMs).toBe(20_000);
  streak.add(later(now, SILENCE_MS));
  expect(streak.lengthMs).toBe(30_000);
});

test.each([
  { what: "the database was away", own: 30_000, database: 30_000 },
  {
    what: "this process was stopped while its database's clock was set back",
    own: 30_000,
    database: 0,
  },
  { what: "this machine slept, and its clock with it", own: 20, database: 30_000 },
  { what: "the database's clock was set back", own: 5_000, database: -1 },
])("it begins anew when $what", ({ own, database }) => {
  const { streak, now } = heardFor(60_000);
  const back = later(now, own, database);
  streak.add(back);
  expect(streak.lengthMs).toBe(0);
  streak.add(later(back, BEAT_MS));
  expect(streak.lengthMs).toBe(BEAT_MS);
});

test("a clock of the database that runs fast gives nobody less time", () => {
  const { streak, now } = heardFor(0);
  streak.add(later(now, 1_000, 9_000));
  expect(streak.lengthMs).toBe(1_000);
});

test("it lasts for as long a silence from its last answer on, by the clock of the database", () => {
  const { streak, now } = heardFor(20_000);
  expect(streak.lastsUntilMs).toBe(now.databaseMs + SILENCE_MS);
  expect(new Streak(SILENCE_MS).lastsUntilMs).toBe(0);
});
