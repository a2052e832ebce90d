import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FairBudget, type Reservation } from "./fair-budget.ts";

/** Takes one after the other for as long as there is one to be had. */
function fill(budget: FairBudget, owner: string): Reservation[] {
  const reservations: Reservation[] = [];
  for (;;) {
    const reservation = budget.enter(owner, 1);
    if (typeof reservation === "string") return reservations;
    reservations.push(reservation);
  }
}

function entered(reservation: ReturnType<FairBudget["enter"]>): Reservation {
  if (typeof reservation === "string") throw new Error(`not reserved: ${reservation}`);
  return reservation;
}

describe("of a budget that many share", () => {
  test.each([1, 2, 3, 9])(
    "each of %p that take in turns has three times what is left",
    (owners) => {
      const budget = new FairBudget(1_000);
      const names = Array.from({ length: owners }, (_, i) => `owner ${i}`);
      for (let taken = -1; taken < budget.taken; ) {
        taken = budget.taken;
        for (const name of names) budget.enter(name, 1);
      }
      const fair = Math.floor(3_000 / (3 * owners + 1));
      for (const name of names) {
        const { taken } = budget.shareOf(name);
        expect([fair, fair + 1]).toContain(taken);
      }
      expect(typeof budget.enter("newcomer", 1)).toBe("object");
    },
  );

  test("who has had most of it alone leaves as great a part of the rest to the next", () => {
    const budget = new FairBudget(1_000);
    const had = ["a", "b", "c"].map((owner) => fill(budget, owner).length);
    expect(had).toEqual([750, 187, 47]);
  });

  test("the only thing that somebody has in it may take all that is free, and no more", () => {
    const budget = new FairBudget(1_000);
    const other = entered(budget.enter("other", 100));
    const only = entered(budget.enter("a", 500));
    expect(budget.grow(only, 400)).toBeUndefined();
    expect(budget.grow(only, 1)).toBe("full");
    expect(budget.enter("a", 1)).toBe("share");
    budget.leave(other);
    expect(budget.grow(only, 100)).toBeUndefined();
    expect([budget.taken, only.taken]).toEqual([1_000, 1_000]);
  });

  test("a budget for one takes one", () => {
    const budget = new FairBudget(1);
    const only = entered(budget.enter("a", 1));
    expect([budget.enter("a", 1), budget.enter("b", 1)]).toEqual(["share", "full"]);
    budget.leave(only);
    expect(typeof budget.enter("b", 1)).toBe("object");
  });

  test("what would not fit without one's own other things either is full", () => {
    const budget = new FairBudget(1_000);
    entered(budget.enter("other", 600));
    entered(budget.enter("a", 100));
    expect(budget.enter("a", 401)).toBe("full");
    expect(budget.enter("a", 400)).toBe("share");
    expect(budget.shareOf("a")).toEqual({ taken: 100, max: 300 });
  });

  test("who has more than would now be given may stay, and give some back", () => {
    const budget = new FairBudget(1_000);
    const [first, second] = [entered(budget.enter("a", 250)), entered(budget.enter("a", 250))];
    entered(budget.enter("b", 450));
    expect(budget.grow(first, 1)).toBe("share");
    expect([budget.grow(first, 0), budget.grow(second, -50)]).toEqual([undefined, undefined]);
    expect(budget.shareOf("a")).toEqual({ taken: 450, max: 412 });
  });

  test("what is refused takes nothing", () => {
    const budget = new FairBudget(100);
    entered(budget.enter("a", 70));
    expect([budget.enter("a", 10), budget.enter("b", 60)]).toEqual(["share", "full"]);
    expect([budget.taken, budget.owners]).toEqual([70, 1]);
  });
});

test("whoever comes, grows and goes, it never holds more than it may, and in the end nothing", () => {
  const step = fc.record({
    owner: fc.constantFrom("a", "b", "c"),
    what: fc.constantFrom("enter", "grow", "leave"),
    amount: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new FairBudget(100);
      const inside: Reservation[] = [];
      for (const { owner, what, amount } of steps) {
        const [reservation] = inside;
        if (what === "enter") {
          const came = budget.enter(owner, amount);
          if (typeof came !== "string") inside.push(came);
        } else if (reservation && what === "grow") budget.grow(reservation, amount);
        else if (reservation) budget.leave(inside.shift() as Reservation);
        expect(budget.taken).toBe(inside.reduce((sum, { taken }) => sum + taken, 0));
        expect(budget.taken).toBeLessThanOrEqual(100);
      }
      for (const reservation of inside) budget.leave(reservation);
      expect([budget.taken, budget.owners]).toEqual([0, 0]);
    }),
  );
});
