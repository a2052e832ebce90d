// A key is looked at before the body of its request; a body that takes its time must not outlive the key.
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../store/engines.ts";
import { expectUntouched } from "../support/books.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import { perSuite } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { WIRES } from "../support/samples/wires.ts";
import { caughtUp, eventually } from "../support/waiting.ts";

/** Over before anything that is awaited here has happened. */
const FRESH_MS = 1;

describe.each(ENGINES)("a body that comes slowly, on $name", (engine) => {
  const settings = { FAREGATE_KEY_FRESH_MS: String(FRESH_MS) };
  const house = perSuite((parts) => serve(parts, { engine, settings, books: true }));

  /** All of a request but its last byte, which the server has begun to read. */
  async function begin(path: string, key: string, body: object) {
    const text = JSON.stringify(body);
    const client = await RawClient.connect(house.server.url);
    const head = [
      `POST /v1${path} HTTP/1.1`,
      "host: 127.0.0.1",
      `authorization: Bearer ${key}`,
      "content-type: application/json",
      `content-length: ${text.length}`,
    ];
    client.send(`${head.join("\r\n")}\r\n\r\n${text.slice(0, -1)}`);
    await caughtUp(house.server.url);
    return { client, end: () => client.send(text.slice(-1)) };
  }

  test.each(WIRES)(
    "is refused when its key was disabled meanwhile: $path",
    async ({ path, request }) => {
      const made = await house.server.account("1");
      const { client, end } = await begin(path, made.key, request("Say one"));
      await house.server.beside(({ store }) =>
        store.accounts.updateKey(made.keyId, { enabled: false }),
      );
      await Bun.sleep(2 * FRESH_MS);
      end();
      await eventually("it is answered", () => client.text.includes("}}"));
      expect(client.text).toContain("HTTP/1.1 401");
      expect(client.text).toContain("This API key is disabled.");
      client.leave();
      await house.server.beside(({ store }) =>
        store.accounts.updateKey(made.keyId, { enabled: true }),
      );
      await expectUntouched(house.server, made.key);
    },
  );

  test.each(WIRES)(
    "is answered where its key is as good as before: $path",
    async ({ path, request }) => {
      const { key } = await house.server.account("1");
      const { client, end } = await begin(path, key, request("Say one"));
      await Bun.sleep(2 * FRESH_MS);
      end();
      await eventually("it is answered", () => client.text.includes("HTTP/1.1 200"));
      client.leave();
    },
  );
});
