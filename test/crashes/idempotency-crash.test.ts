// A server that is killed or held still while it answers a request with an Idempotency-Key, and the same request
// again.
import { describe, expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGINES, type Engine, POSTGRES } from "../store/engines.ts";
import { isFull } from "../support/counts.ts";
import { perSuite } from "../support/houses/house.ts";
import {
  expectFirst,
  expectReplay,
  gated,
  IdempotencyHouse,
  idOf,
  wordOf,
} from "../support/houses/idempotency-house.ts";
import { FACES } from "../support/samples/faces.ts";
import { readEvents } from "../support/samples/wires.ts";
import { answer } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";

const DIE = `--preload=${join(import.meta.dir, "..", "support", "die-at-settlement.ts")}`;

/**
 * Each death needs a server of its own, so in a short run they take turns: each on one of the databases, two on each.
 */
const isTaken = (engine: Engine, at: number) => isFull || at % 2 === ENGINES.indexOf(engine);

describe.each(ENGINES)("a server that is killed, on $name", (engine) => {
  const note = perSuite(async (parts) => ({ file: join(parts.folder(), "moment") }));
  const house = perSuite((parts) =>
    IdempotencyHouse.open(
      parts,
      engine,
      { BUN_OPTIONS: DIE, DIE_AT_SETTLEMENT: note.file },
      { process: true },
    ),
  );

  /** The server is to die, or to stop, at the next settlement. */
  async function dieNext(moment: "before" | "after" | "stop"): Promise<void> {
    await house.newRows();
    writeFileSync(note.file, moment);
  }

  /** Starts where a server was killed before; its holds are nobody's by now. */
  async function restart(): Promise<void> {
    await house.server.kill();
    rmSync(note.file, { force: true });
    await house.database.atRest();
    await house.database.forgetTheDead();
    await house.start();
  }

  /** What a client has of an answer when the connection is cut. */
  async function cutOff(asked: Promise<Response>): Promise<string> {
    let text = "";
    try {
      const response = await asked;
      const decoder = new TextDecoder();
      const body = response.body as unknown as AsyncIterable<Uint8Array>;
      for await (const bytes of body) text += decoder.decode(bytes, { stream: true });
    } catch {
      return text;
    }
    throw new Error("the connection was not cut");
  }

  const kinds = FACES.slice(0, 2)
    .map((face, i) => [face.name, i === 0 ? "stream" : "whole", face] as const)
    .filter((_, at) => isTaken(engine, at));

  test.each(kinds)(
    "between the settlement and the last byte has the answer, paid once: %s, %s",
    async (wire, how, face) => {
      const stream = how === "stream";
      const value = `killed ${wire}`;
      await dieNext("after");
      house.vendor.play(answer);
      const heard = await cutOff(house.ask(value, { face, stream }));
      await restart();
      const again = await house.hear(value, { face, stream });
      expect([again.status, wordOf(again)]).toEqual([200, "replay"]);
      if (stream) {
        face.expectGoodEnd(readEvents(again.text));
        expect(again.text).toStartWith(heard);
        expect(again.text.length).toBeGreaterThan(heard.length);
      } else {
        expect(heard).toBe("");
        expect(face.textOf(JSON.parse(again.text))).not.toBe("");
      }
      expect((await house.hear(value, { face, stream })).text).toBe(again.text);
      expect(house.vendor.calls).toHaveLength(1);
      const rows = await house.newRows();
      expect(rows).toMatchObject([
        { id: again.headers.get("x-faregate-receipt") ?? "", reason: "completed" },
      ]);
      expect(rows[0]?.cost).toBeGreaterThan(0n);
    },
  );

  if (isTaken(engine, 2))
    test("before the settlement has not answered, though the answer was kept", async () => {
      const asking = { stream: true };
      await dieNext("before");
      house.vendor.play(answer);
      await cutOff(house.ask("unsettled", asking));
      await restart();
      const second = await house.hear("unsettled", asking);
      expectFirst(second);
      expectReplay(await house.hear("unsettled", asking), second);
      expect(house.vendor.calls).toHaveLength(2);
      const rows = await house.newRows();
      expect(rows.map(({ reason }) => reason).sort()).toEqual(["completed", "taken_over"]);
      expect(rows.filter(({ cost }) => cost > 0n)).toHaveLength(1);
    });

  if (isTaken(engine, 3))
    test("while its vendor is asked frees the value", async () => {
      await house.newRows();
      house.vendor.play(gated().script);
      const cut = cutOff(house.ask("running"));
      await eventually("the vendor is called", () => house.vendor.calls.length === 1);
      await house.server.kill();
      await cut;
      await restart();
      house.vendor.play(answer);
      expectFirst(await house.hear("running", { more: { instructions: "Of any body." } }));
      const rows = await house.newRows();
      expect(rows.map(({ reason }) => reason).sort()).toEqual(["completed", "taken_over"]);
    });

  if (engine === POSTGRES)
    test.each(["whole", "stream"])(
      "or seems to be, and goes on when another was asked instead, is not paid for that too: %s",
      async (how) => {
        const stream = how === "stream";
        const value = `held still ${how}`;
        await dieNext("stop");
        house.vendor.play(answer);
        const held = house.hear(value, { stream });
        await eventually("the answer is kept, and its server stands", () => !existsSync(note.file));
        await house.database.forgetTheDead();
        const second = await house.beside();
        try {
          const answered = await house.hear(value, { stream, server: second });
          expectFirst(answered);
          house.server.resume();
          const told = await held;
          const rows = await house.newRows();
          expect(rows.filter(({ cost }) => cost > 0n)).toMatchObject([{ id: idOf(answered) }]);
          expect(rows.find(({ id }) => id === idOf(told))).toMatchObject({ reason: "taken_over" });
          expect(told.status).toBe(stream ? 200 : 503);
          expect(told.text).toContain("it was not charged. Try again shortly.");
          expectReplay(await house.hear(value, { stream }), answered);
          expect(house.vendor.calls).toHaveLength(2);
        } finally {
          house.server.resume();
          await second.kill();
        }
      },
    );
});
