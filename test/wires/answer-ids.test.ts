// The receipt of a request is found by the id that its client reads in the answer, whichever vendor wrote that.
import { expect, test } from "bun:test";
import { perFile } from "../support/houses/house.ts";
import { FACES } from "../support/samples/faces.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { answering } from "../support/vendors/good-vendor.ts";
import type { VendorWireName } from "../support/vendors/vendor-bytes.ts";
import { modelEntry, vendorHouse } from "../support/vendors/vendor-house.ts";

const WIRES: readonly VendorWireName[] = ["responses", "chat", "messages", "gemini"];

const house = await perFile((parts) =>
  vendorHouse(parts, {
    file: (vendor) => ({
      channels: WIRES.map((wire) => ({
        id: wire,
        vendor: "custom",
        base_url: vendor.url(wire),
        protocols: [wire],
        models: { [`${wire}-1.0`]: "vendor-name" },
      })),
      models: WIRES.map((wire) => modelEntry(`${wire}-1.0`)),
    }),
  }),
);
for (const wire of WIRES) house.vendor.play(wire, answering(wire));

/** The id of the receipt that such an id leads to. */
async function receiptOf(answerId: string | undefined): Promise<unknown> {
  const response = await house.server.fetch(`/generation?id=${answerId}`, house.key);
  return ((await response.json()) as JsonObject).id;
}

const calls = FACES.flatMap((face) =>
  WIRES.flatMap((wire) => [false, true].map((stream) => [face.name, wire, stream, face] as const)),
);

test.each(calls)("%s client, %s vendor, stream %p", async (_name, wire, stream, face) => {
  const { text, requestId } = await house.call(face, `${wire}-1.0`, stream);
  const [, id] = /"(?:id|responseId)":\s*"([^"]+)"/.exec(text) ?? [];
  expect(await receiptOf(id)).toBe(requestId);
});

test.each(WIRES)("a compaction, %s vendor", async (wire) => {
  const body = { model: `${wire}-1.0`, input: "Tell me about foxes." };
  const response = await house.server.post("/responses/compact", house.key, body);
  const { id } = (await response.json()) as { id: string };
  expect(id).toStartWith("resp_");
  expect(await receiptOf(id)).toBe(response.headers.get("x-request-id"));
});
