import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FairRoom, type Place } from "./fair-room.ts";

/** Takes one after the other for as long as there is one to be had. */
function fill(room: FairRoom, owner: string): Place[] {
  const places: Place[] = [];
  for (;;) {
    const place = room.enter(owner, 1);
    if (typeof place === "string") return places;
    places.push(place);
  }
}

function entered(place: ReturnType<FairRoom["enter"]>): Place {
  if (typeof place === "string") throw new Error(`no room: ${place}`);
  return place;
}

describe("of a room that many share", () => {
  test.each([1, 2, 3, 9])(
    "each of %p that take in turns has three times what is left",
    (owners) => {
      const room = new FairRoom(1_000);
      const names = Array.from({ length: owners }, (_, i) => `owner ${i}`);
      for (let taken = -1; taken < room.taken; ) {
        taken = room.taken;
        for (const name of names) room.enter(name, 1);
      }
      const fair = Math.floor(3_000 / (3 * owners + 1));
      for (const name of names) {
        const { taken } = room.shareOf(name);
        expect([fair, fair + 1]).toContain(taken);
      }
      expect(typeof room.enter("newcomer", 1)).toBe("object");
    },
  );

  test("who has had most of it alone leaves as great a part of the rest to the next", () => {
    const room = new FairRoom(1_000);
    const had = ["a", "b", "c"].map((owner) => fill(room, owner).length);
    expect(had).toEqual([750, 187, 47]);
  });

  test("the only thing that somebody has in it may take all that is free, and no more", () => {
    const room = new FairRoom(1_000);
    const other = entered(room.enter("other", 100));
    const only = entered(room.enter("a", 500));
    expect(room.grow(only, 400)).toBeUndefined();
    expect(room.grow(only, 1)).toBe("full");
    expect(room.enter("a", 1)).toBe("share");
    room.leave(other);
    expect(room.grow(only, 100)).toBeUndefined();
    expect([room.taken, only.taken]).toEqual([1_000, 1_000]);
  });

  test("a room for one takes one", () => {
    const room = new FairRoom(1);
    const only = entered(room.enter("a", 1));
    expect([room.enter("a", 1), room.enter("b", 1)]).toEqual(["share", "full"]);
    room.leave(only);
    expect(typeof room.enter("b", 1)).toBe("object");
  });

  test("what would not fit without one's own other things either is the room's doing", () => {
    const room = new FairRoom(1_000);
    entered(room.enter("other", 600));
    entered(room.enter("a", 100));
    expect(room.enter("a", 401)).toBe("full");
    expect(room.enter("a", 400)).toBe("share");
    expect(room.shareOf("a")).toEqual({ taken: 100, max: 300 });
  });

  test("who has more than would now be given may stay, and give some back", () => {
    const room = new FairRoom(1_000);
    const [first, second] = [entered(room.enter("a", 250)), entered(room.enter("a", 250))];
    entered(room.enter("b", 450));
    expect(room.grow(first, 1)).toBe("share");
    expect([room.grow(first, 0), room.grow(second, -50)]).toEqual([undefined, undefined]);
    expect(room.shareOf("a")).toEqual({ taken: 450, max: 412 });
  });

  test("what is refused takes nothing", () => {
    const room = new FairRoom(100);
    entered(room.enter("a", 70));
    expect([room.enter("a", 10), room.enter("b", 60)]).toEqual(["share", "full"]);
    expect([room.taken, room.owners]).toEqual([70, 1]);
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
      const room = new FairRoom(100);
      const inside: Place[] = [];
      for (const { owner, what, amount } of steps) {
        const [place] = inside;
        if (what === "enter") {
          const came = room.enter(owner, amount);
          if (typeof came !== "string") inside.push(came);
        } else if (place && what === "grow") room.grow(place, amount);
        else if (place) room.leave(inside.shift() as Place);
        expect(room.taken).toBe(inside.reduce((sum, { taken }) => sum + taken, 0));
        expect(room.taken).toBeLessThanOrEqual(100);
      }
      for (const place of inside) room.leave(place);
      expect([room.taken, room.owners]).toEqual([0, 0]);
    }),
  );
});
