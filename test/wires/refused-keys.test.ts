// A vendor that refuses every key that we have for a model: what its clients hear, and how it comes back.
import { describe, expect, test } from "bun:test";
import { perSuite } from "../support/houses/house.ts";
import { FACES, type Face } from "../support/samples/faces.ts";
import { answering, refusing } from "../support/vendors/good-vendor.ts";
import { modelEntry, vendorHouse } from "../support/vendors/vendor-house.ts";
import { eventually } from "../support/waiting.ts";

const [RESPONSES] = FACES as [Face];

describe("a model whose vendor refuses every key", () => {
  const house = perSuite((parts) =>
    vendorHouse(parts, {
      settings: { FAREGATE_PROBE_MS: "50", FAREGATE_CREDENTIAL_PROBE_MS: "100" },
      file: (vendor) => ({
        channels: ["lost", "stood-in", "spare"].map((id) => ({
          id,
          vendor: "custom",
          base_url: vendor.url(id),
          protocols: ["responses"],
          keys: [`sk-of-${id}-0123456789`],
          models: { [`${id}-1.0`]: "vendor-name" },
        })),
        models: [
          modelEntry("lost-1.0"),
          modelEntry("spare-1.0"),
          modelEntry("stood-in-1.0", { fallbacks: ["spare-1.0"] }),
        ],
      }),
    }),
  );

  const listed = async () => {
    const answer = await house.server.fetch("/models", house.key);
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  };

  test.each(
    FACES.flatMap((face) => [false, true].map((stream) => [face.name, stream, face] as const)),
  )("is unavailable without a time to come back, on %s, stream %p", async (_name, stream, face) => {
    house.vendor.play("lost", refusing(401));
    const { status, headers, text } = await house.call(face, "lost-1.0", stream);
    expect(status).toBe(503);
    expect(face.expectRefusal(503, JSON.parse(text))).toContain("No channel can serve");
    expect([headers.get("retry-after"), headers.get("x-should-retry")]).toEqual([null, "false"]);
  });

  test("is not listed, but still known, and the others are", async () => {
    const ids = await listed();
    expect(ids).not.toContain("lost-1.0");
    expect(ids).toContain("spare-1.0");
    const { status } = await house.server.fetch("/models/lost-1.0", house.key);
    expect(status).toBe(200);
  });

  test("is stood in for where another may", async () => {
    house.vendor.play("stood-in", refusing(401));
    house.vendor.play("spare", answering("responses"));
    for (let i = 0; i < 2; i++) {
      expect((await house.call(RESPONSES, "stood-in-1.0", false)).status).toBe(200);
    }
  });

  test("with one that may stand in and rests says when that comes back", async () => {
    house.vendor.play("spare", refusing(429, { "retry-after": "30" }));
    const { status, headers } = await house.call(RESPONSES, "stood-in-1.0", false);
    expect([status, headers.get("retry-after")]).toEqual([503, "30"]);
    const again = await house.call(RESPONSES, "stood-in-1.0", false);
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(20);
  });

  test("comes back by itself once a key is taken", async () => {
    house.vendor.play("lost", answering("responses"));
    house.vendor.lists.set("lost", () => ({ data: [] }));
    await eventually("the model is listed again", async () =>
      (await listed()).includes("lost-1.0"),
    );
    expect((await house.call(RESPONSES, "lost-1.0", false)).status).toBe(200);
  });
});
