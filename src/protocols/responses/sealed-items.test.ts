import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../config/config.ts";
import { seal } from "../envelope.ts";
import type { UpstreamOptions } from "../wire.ts";
import { responsesWire } from "./wire.ts";

const wire = responsesWire(readConfig({}).limits);
const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "v",
  maxOutput: 8_192,
  webSearch: true,
};
const USER = { type: "message", role: "user", content: "hi" };
const NATIVE = { type: "reasoning", id: "rs_9", summary: [], encrypted_content: "gAAAA" };

function write(input: readonly object[]) {
  const text = JSON.stringify({ model: "m-1.0", input });
  const written = wire.writeRequest(wire.readRequest(JSON.parse(text), text), OPTIONS);
  return { input: JSON.parse(written.text).input, text: written.text, dropped: written.dropped };
}

describe("envelopes on their way to a Responses vendor", () => {
  test("what another wire's vendor sealed is left out and named", () => {
    const thought = {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "hm" }],
      encrypted_content: seal("messages", { signature: "s" }),
    };
    const written = write([thought, USER, { ...thought, id: "rs_2" }, USER]);
    expect(written).toMatchObject({ input: [USER, USER], dropped: ["reasoning"] });
  });

  test("what this wire's vendor sealed is as it was", () => {
    const state = { id: NATIVE.id, encrypted_content: NATIVE.encrypted_content };
    const carried = { ...NATIVE, id: "rs_other", encrypted_content: seal("responses", state) };
    expect(write([carried, USER])).toMatchObject({ input: [NATIVE, USER], dropped: [] });
  });

  test("a summary of ours is told to the model, under both names of such an item", () => {
    for (const type of ["compaction", "compaction_summary"]) {
      const encrypted_content = seal("responses", { compaction: "They chose blue." });
      const { input, dropped } = write([{ type, encrypted_content }, USER]);
      expect(input[0]).toMatchObject({ type: "message", role: "developer" });
      expect(input[0].content).toContain("They chose blue.");
      expect([input[1], dropped]).toEqual([USER, []]);
    }
  });

  test("a thought without anything to read is left out, since its id means nothing", () => {
    const summary = [{ type: "summary_text", text: "hm" }];
    const thought = { type: "reasoning", id: "rs_1", summary };
    const shown = [{ type: "reasoning_text", text: "hm" }];
    for (const empty of [thought, { ...thought, encrypted_content: null, content: [] }]) {
      expect(write([empty, USER])).toMatchObject({ input: [USER], dropped: ["reasoning"] });
    }
    const silent = { ...thought, summary: [] };
    expect(write([silent, USER])).toMatchObject({ input: [USER], dropped: [] });
    const open = { ...thought, content: shown };
    expect(write([open, USER])).toMatchObject({ input: [open, USER], dropped: [] });
  });

  test("a broken envelope is left out and named", () => {
    const broken = { ...NATIVE, encrypted_content: "fgs1.%%%" };
    expect(write([broken, USER])).toMatchObject({ input: [USER], dropped: ["reasoning"] });
    const compaction = { type: "compaction", encrypted_content: "fgs1.%%%" };
    expect(write([compaction, USER])).toMatchObject({ input: [USER], dropped: ["input[0]"] });
  });

  test("nothing is rewritten where there is none", () => {
    const text = `{"model":"m-1.0","input":[${JSON.stringify(NATIVE)}, {"role":"user","content":"h\\u0069","n":1.50}]}`;
    const written = wire.writeRequest(wire.readRequest(JSON.parse(text), text), OPTIONS).text;
    expect(written).toBe(`${text.replace('"m-1.0"', '"v"').slice(0, -1)},"store":false}`);
  });
});
