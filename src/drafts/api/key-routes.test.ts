import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { drops, heldBack } from "../../../test/support/clients/slow-bodies.ts";
import { SILENT } from "../../../test/support/logs.ts";
import type { PresentedKey } from "../../accounts/account.ts";
import type { Role } from "../../accounts/guards.ts";
import { post } from "../../lib/contract.ts";
import type { Route } from "../../lib/route.ts";
import { keyRoutes } from "./key-routes.ts";
import { mcpRoute } from "./mcp/route.ts";
import type { DoorServices } from "./services.ts";

const CHANGE = post("/v1/change", "Changes something.", {
  body: z.looseObject({}),
  answer: z.strictObject({ changed: z.boolean() }),
});

/** A key of an owner, which a test may change, and the doors for it. */
function openDoors(uploadMs = 60_000) {
  const key = {
    ...{ id: "key_1", name: "laptop", accountId: "acct_1", enabled: true, accountEnabled: true },
    ...{ deletedAtMs: null, secretEndsAtMs: null, expiresAtMs: null, networks: null },
    accountRead: true,
  };
  const maker: { role: Role | undefined } = { role: "owner" };
  const done: string[] = [];
  const services = {
    accounts: { findKey: async () => ({ ...key }) as PresentedKey },
    rights: { roleOf: async () => maker.role },
    calls: { countKey: () => {} },
    limits: { draft_body_bytes_max: 10_000, upload_ms: uploadMs },
    tasks: { run: (work: Promise<unknown>) => work },
    clock: Date.now,
    ...{ version: "1.0.0", log: SILENT },
  } as unknown as Parameters<typeof mcpRoute>[0] & DoorServices;
  const changes = keyRoutes(services)(CHANGE, "viewer", async (call) => {
    await call.body();
    done.push("changed");
    return { changed: true };
  });
  return { key, maker, done, doors: { http: changes, mcp: mcpRoute(services) } };
}

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** The answer to what is sent with the key. */
function send(
  { method, path, handle }: Route,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const url = new URL(path, "http://gate.test");
  const headers = {
    ...{ authorization: "Bearer sk-fg-any", "content-type": "application/json" },
    accept: "application/json, text/event-stream",
  };
  const request = new Request(url.href, { method, headers, body });
  const incoming = { request, url, requestId: "req_1", params: {}, keepOpen() {} };
  return handle({ ...incoming, isBeingAnswered: () => false, address: () => "127.0.0.1" });
}

describe.each(["http", "mcp"] as const)("what is sent by %s with a key", (name) => {
  test.each([
    ["has been disabled", { enabled: false }, "owner", "invalid_api_key"],
    ["may read the account no more", { accountRead: false }, "owner", "permission_denied"],
    ["has a maker with another role", {}, "member", "permission_denied"],
    ["has a maker who is gone", {}, undefined, "permission_denied"],
  ] as const)("that %s by the end of it does nothing", async (_key, changes, role, fault) => {
    const { key, maker, done, doors } = openDoors();
    const body = heldBack(PING, () => {
      Object.assign(key, changes);
      maker.role = role;
    });
    const sent = send(doors[name], body);
    await expect(sent).rejects.toMatchObject({ fault });
    expect(done).toEqual([]);
  });

  test("is taken where the key is as it was", async () => {
    const { doors } = openDoors();
    const body = heldBack(PING, () => {});
    expect((await send(doors[name], body)).status).toBe(200);
  });

  test("is not waited for longer than an upload takes", async () => {
    const { doors } = openDoors(50);
    const sent = send(doors[name], drops());
    await expect(sent).rejects.toMatchObject({ fault: "request_too_slow" });
  });
});
