import { version } from "../../package.json" with { type: "json" };
import type { Catalogue } from "../catalogue/models.ts";
import type { Config } from "../config/config.ts";
import { playgroundRoutes } from "../console/playground-routes.ts";
import type { GateView } from "../gateway/inner/gate-view.ts";
import type { CallModels } from "../gateway/inner/model-calls.ts";
import type { Installation } from "../installation/installation.ts";
import type { Clock } from "../lib/clock.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { Wires } from "../protocols/wires.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import type { ChannelSource } from "../upstream/channels/channels.ts";
import type { Routes } from "../upstream/routing.ts";
import { openConsole, type StandIns } from "./console.ts";
import { openDrafts } from "./drafts.ts";
import { openMaterial } from "./material.ts";
import { openPlatform } from "./platform.ts";

/** What the office is opened on: the gate's own things, or in a process of its own things like them. */
export interface OfficeDependencies extends StandIns {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly tasks: TaskGroup;
  readonly installation: Installation;
  /** What there is to call, as the installation keeps it. */
  readonly catalogue: Catalogue;
  readonly routes: Routes;
  readonly source: ChannelSource;
  readonly wires: Wires;
  /** The gate that relays. */
  readonly gate: GateView;
  readonly call: CallModels;
  /** The port that is listened on, once it is known. */
  port(): number;
}

/** All that is not the gate: the console, payments, notices, the platform, drafts and the agents' door. */
export async function openOffice(deps: OfficeDependencies) {
  const { config, store, clock, log, tasks, call, port } = deps;
  const waiting = { draftCallsWaiting: 0 };
  const pages = await openConsole({ ...deps, version, waiting });
  const { guards, audit, people, files, personalKeys } = pages;
  const platform = openPlatform({ config, store, clock, log, tasks });
  const drafts = openDrafts({
    ...{ config, store, log, clock, tasks, version, waiting, call, guards, audit, port },
    ...{ sandbox: platform.sandbox, rights: people.keyRights, personalKeys },
  });
  const material = openMaterial({ config, platform, people, files, guards });
  const stops: (() => void)[] = [];
  return {
    routes: [
      ...pages.routes,
      ...playgroundRoutes({ keys: personalKeys, call }, guards),
      ...platform.routes(guards),
      ...material.routes,
      ...drafts.routes,
    ],
    /** Whether it would lose something by ending that nobody has been told it may lose. */
    isBusy: () => tasks.size > 0 || platform.remembers(),
    /** Begins what runs beside the requests. */
    start() {
      stops.push(platform.start(), drafts.start());
      pages.start();
    },
    /** Begins nothing more. */
    rest() {
      for (const stop of stops.splice(0)) stop();
    },
    async stop() {
      for (const room of [drafts, material, platform, pages]) await room.stop();
    },
  };
}
