import { describe, expect, test } from "bun:test";
import { CHAT, gateway, theOnly, thrownBy } from "../../../test/support/houses/pipeline.ts";

describe("a mistake of ours on the way of a whole answer", () => {
  test("where it is settled ends its request, and that alone", async () => {
    const it = gateway();
    const { ledger } = it.services;
    const settle = ledger.settle.bind(ledger);
    ledger.settle = () => {
      ledger.settle = settle;
      throw new TypeError("a mistake of ours");
    };
    const fault = await thrownBy(it.post("chat", CHAT));
    expect(fault.status).toBe(500);
    const receipt = await theOnly(it);
    expect(receipt.charge.amount).toBe(0n);
    expect((await it.post("chat", CHAT)).status).toBe(200);
  });

  test("where it has been settled is told to its client, and to nobody else", async () => {
    const it = gateway();
    const { bodies } = it.services;
    const read = bodies.read.bind(bodies);
    bodies.read = async (...args) => {
      bodies.read = read;
      const body = await read(...args);
      const release = body.release.bind(body);
      body.release = () => {
        release();
        throw new TypeError("a mistake of ours");
      };
      return body;
    };
    const thrown = await it.post("chat", CHAT).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(TypeError);
    await theOnly(it);
    expect((await it.post("chat", CHAT)).status).toBe(200);
  });
});
