// A gateway with its operator's API, in this process on a real database.
import { expect } from "bun:test";
import { Accounts } from "../../../src/accounts/accounts.ts";
import type { AuditEntry } from "../../../src/accounts/audit.ts";
import { shippedCatalogue } from "../../../src/catalogue/models.ts";
import { operatorParts } from "../../../src/compose/console.ts";
import { openInstallation } from "../../../src/compose/installation.ts";
import { servicesOf } from "../../../src/compose/services.ts";
import { type Config, readConfig } from "../../../src/config/config.ts";
import { parseConfigFile } from "../../../src/config/file.ts";
import { operatorRoutes } from "../../../src/console/operator/routes.ts";
import { OwnGate } from "../../../src/gateway/inner/gate-view.ts";
import { gatewayRoutes } from "../../../src/gateway/routes.ts";
import { steadyClock, systemClock } from "../../../src/lib/clock.ts";
import type { Sql } from "../../../src/lib/sql/sql.ts";
import { measuredStore } from "../../../src/store/reads/measured.ts";
import type { Store } from "../../../src/store/store.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";
import { ChannelSource } from "../../../src/upstream/channels/channels.ts";
import { FetchedModels } from "../../../src/upstream/channels/fetched-models.ts";
import { type Engine, SQLITE } from "../../store/engines.ts";
import { credit } from "../../store/samples.ts";
import { receiptForOperators } from "../books.ts";
import { listen } from "../listening.ts";
import { keptLog } from "../logs.ts";
import type { JsonObject } from "../samples/wires.ts";
import { VAULT } from "../vault.ts";
import { answer, MockVendor, type VendorCall } from "../vendors/mock-vendor.ts";
import type { Parts } from "./house.ts";
import { OF_OUR_PAGES, openGuards } from "./open-guards.ts";

/** A vendor that lists its models, and refuses whoever has another key. */
export class SmallVendor extends MockVendor {
  key = "sk-vendor-key-0001";
  models = ["small-model"];
  /** What it says that a call has used, where that is not what it says otherwise. */
  usage: JsonObject | undefined;

  override script = async (call: VendorCall) => {
    const given = call.headers.get("authorization")?.replace("Bearer ", "");
    if (given !== this.key) {
      const message = `Incorrect API key provided: ${given}.`;
      return Response.json({ error: { message, code: "invalid_api_key" } }, { status: 401 });
    }
    if (call.path.endsWith("/models")) {
      return Response.json({ data: this.models.map((id) => ({ id })) });
    }
    if (!this.usage) return answer(call);
    return Response.json({ ...((await answer(call).json()) as object), usage: this.usage });
  };
}

interface HouseOptions {
  readonly engine?: Engine;
  readonly env?: Record<string, string>;
  /** The text of the operator's file. */
  readonly file?: string;
  /** Another database of the console than the store's, for a process beside another one. */
  readonly sql?: Sql;
}

/** An account with a hundred dollars, and its key. */
async function customerOf(store: Store, accounts: Accounts) {
  const { id } = await accounts.createAccount("Ann");
  await credit(store, id, 100_000_000_000n);
  const made = await accounts.createKey(id, { name: "k", accountRead: true });
  if (!made) throw new Error("there is no account for the key");
  return { accountId: id, key: made.key };
}

const CLOCKS = { clock: systemClock, steady: steadyClock };

function gatewayOf(parts: Parts, config: Config, store: Store, metrics: Metrics) {
  const { log, logged } = keptLog("error");
  const source = new ChannelSource(config);
  const services = servicesOf(config, store, source, log, CLOCKS);
  const fetched = new FetchedModels(services.routes, config.limits, () => {});
  parts.defer(async () => {
    await services.tasks.settled();
    expect(logged("task_failed")).toEqual([]);
  });
  const installation = openInstallation({ config, store, services, source, fetched }, VAULT);
  const reload = () => installation.reload();
  const gate = new OwnGate({ services, metrics, startedAtMs: systemClock(), reload });
  return { config, store, services, source, installation, gate };
}

export async function operatorHouse(parts: Parts, options: HouseOptions = {}) {
  const site = await (options.engine ?? SQLITE).site(parts);
  const plain = readConfig({ ...site.settings, FAREGATE_PORT: "0", ...options.env });
  const file = options.file && parseConfigFile(options.file, "faregate.yaml", {});
  const config: Config = file ? { ...plain, file } : plain;
  const metrics = new Metrics();
  const opened = await site.open();
  const shared = { ...opened, sql: options.sql ?? opened.sql };
  const store = measuredStore(shared, metrics, steadyClock);
  const gateway = gatewayOf(parts, config, store, metrics);
  const { installation, services, source, gate } = gateway;
  await installation.reload();
  const noted: AuditEntry[] = [];
  const audit = { write: async (entry: AuditEntry) => void noted.push(entry) };
  const accounts = new Accounts(store.accounts, systemClock, 0);
  const { reader } = await site.reads();
  const operator = {
    ...operatorParts(
      {
        ...{ config, store, source, gate, version: "0.0.0", clock: systemClock },
        ...{ catalogue: services.catalogue, routes: services.routes, wires: services.wires },
        waiting: { draftCallsWaiting: 0 },
      },
      accounts,
      reader,
    ),
    ...{ installation, audit, vault: VAULT, mail: undefined },
    // Nobody has a session here.
    personalKeys: { idsIn: async () => new Set<string>() },
  };
  const pages = { shipped: shippedCatalogue(), file: config.file, metricsPublic: false };
  const guards = openGuards({ operator: true, roles: {} });
  const routes = [...gatewayRoutes(gateway.services), ...operatorRoutes(operator, guards, pages)];
  const url = listen(parts, routes, { config });
  parts.defer(installation.start());
  const { accountId, key } = await customerOf(store, accounts);
  const authorization = `Bearer ${key}`;
  const headers = { authorization, "content-type": "application/json" };
  const get = async (path: string) => (await fetch(`${url}/v1${path}`, { headers })).json();
  return {
    url,
    installation,
    metrics,
    store,
    noted,
    /** The database of money, past the store. */
    site,
    /** What operators set, past their API. */
    tables: operator.store,
    /** A call of the operator's API, its answer parsed. */
    async ask<T = JsonObject>(method: string, path: string, body?: unknown) {
      const response = await fetch(`${url}/api/operator${path}`, {
        method,
        headers: OF_OUR_PAGES,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as T };
    },
    /** A chat call of a customer. */
    chat(model: string, more: JsonObject = {}): Promise<Response> {
      const messages = [{ role: "user", content: "hi" }];
      const body = JSON.stringify({ model, messages, ...more });
      return fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
    },
    async listed(): Promise<string[]> {
      const { data } = (await get("/models")) as { data: { id: string }[] };
      return data.map(({ id }) => id);
    },
    /** The receipt of an answer, as its customer sees it. */
    receipt: (answered: Response) =>
      get(`/generation?id=${answered.headers.get("x-request-id")}`) as Promise<JsonObject>,
    /** The same as operators do. */
    operatorsReceipt: (answered: Response) =>
      receiptForOperators(store, accountId, answered.headers.get("x-request-id") ?? ""),
  };
}
