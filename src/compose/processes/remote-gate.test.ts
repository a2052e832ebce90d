import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { failureOf } from "../../../test/store/samples.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { SILENT } from "../../../test/support/logs.ts";
import { readConfig } from "../../config/config.ts";
import type { GateView } from "../../gateway/inner/gate-view.ts";
import { HttpServer } from "../../http/server.ts";
import type { ChannelStatus } from "../../upstream/channels/channel-state.ts";
import type { Routes } from "../../upstream/routing.ts";
import { gateRoutes } from "./gate-routes.ts";
import { RemoteGate } from "./remote-gate.ts";

const parts = partsOfTest();
const NO_ROUTES = { states: [], listed: new Map() } as unknown as Routes;

type States = Readonly<Record<string, ChannelStatus["state"]>>;

/** A gate that listens, and how it has fared with its channels. */
function gate(name: string, states: States) {
  const socket = join(parts.folder(), "gate.sock");
  const calls = { attempts: 3, failures: 2 };
  const channels = Object.entries(states).map(([id, state]) => ({
    ...{ id, state, name, recent: calls, totals: calls },
  }));
  const recent = { requests: 5, failures: 4, unavailable: 3 };
  const view = {
    facts: async () => ({ channels, listed: {}, storage: null, recent }),
    metrics: async () => name,
  } as unknown as GateView;
  const ready = async () => {};
  const routes = gateRoutes(view);
  const config = readConfig({});
  const server = new HttpServer({ config, log: SILENT, routes, sockets: [], ready, socket });
  return { socket, server: parts.keep(server) };
}

/** The socket that one leaves behind which is killed. */
async function killed(): Promise<string> {
  const { socket, server } = gate("killed", { one: "refused" });
  const left = `${socket}.left`;
  renameSync(socket, left);
  await server.stop();
  return left;
}

test("of several gates each channel is as the one knows it that has fared worst", async () => {
  const first = gate("first", { one: "ok", two: "cooled", three: "untried" });
  const second = gate("second", { one: "refused", two: "trial", three: "failing" });
  const remote = new RemoteGate([await killed(), first.socket, second.socket], NO_ROUTES);
  const { channels } = await remote.health();
  const told = channels.map(({ id, state, name }) => [id, state, name]);
  expect(told.toSorted()).toEqual([
    ["one", "refused", "second"],
    ["three", "failing", "second"],
    ["two", "cooled", "first"],
  ]);
});

test("calls and requests of all gates are added up", async () => {
  const [first, second] = [gate("first", { one: "ok" }), gate("second", { one: "ok", two: "ok" })];
  const remote = new RemoteGate([first.socket, second.socket], NO_ROUTES);
  const { channels, recent } = await remote.health();
  expect(channels.map(({ id, totals }) => [id, totals.attempts, totals.failures])).toEqual([
    ["one", 6, 4],
    ["two", 3, 2],
  ]);
  expect(recent).toEqual({ requests: 10, failures: 8, unavailable: 6 });
});

test("what nobody has asked for is asked of the first gate that answers", async () => {
  const [first, second] = [gate("first", {}), gate("second", {})];
  const remote = new RemoteGate([await killed(), first.socket, second.socket], NO_ROUTES);
  expect(await remote.metrics()).toBe("first");
});

test("where no gate answers, nobody says how the channels are", async () => {
  const remote = new RemoteGate([await killed(), "/nowhere/gate.sock"], NO_ROUTES);
  expect((await failureOf(remote.health())).message).toBe("no gate answers");
  expect((await failureOf(remote.metrics())).message).toBe("no gate answers");
});
