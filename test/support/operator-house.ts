// A gateway with its operator's API and a vendor beside it, in one process on a real database.
import { Accounts } from "../../src/accounts/accounts.ts";
import type { AuditEntry } from "../../src/accounts/audit.ts";
import type { Doors } from "../../src/accounts/doors.ts";
import { Admission } from "../../src/admission/admission.ts";
import { type Catalogue, shippedCatalogue } from "../../src/catalogue/models.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { type ConfigFile, parseConfigFile } from "../../src/config-file.ts";
import { Installation } from "../../src/console/operator/installation.ts";
import { operatorRoutes } from "../../src/console/operator/routes.ts";
import type { OperatorServices } from "../../src/console/operator/services.ts";
import { Conversations } from "../../src/conversations/conversations.ts";
import { BodyReader } from "../../src/gateway/body.ts";
import { gatewayRoutes } from "../../src/gateway/routes.ts";
import type { Services } from "../../src/gateway/services.ts";
import { HttpServer } from "../../src/http/server.ts";
import { Ledger } from "../../src/ledger/ledger.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { TaskGroup } from "../../src/lib/task-group.ts";
import { createVault } from "../../src/lib/vault.ts";
import { Watchdog } from "../../src/lib/watchdog.ts";
import { openWires } from "../../src/protocols/wires.ts";
import { migrateRooms } from "../../src/store/console/migrate.ts";
import { OperatorTables } from "../../src/store/console/operator.ts";
import { OPERATOR_TABLES } from "../../src/store/console/operator-tables.ts";
import { measuredStore } from "../../src/store/measured.ts";
import type { Sql } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { ChannelSource } from "../../src/upstream/channels.ts";
import { Drains } from "../../src/upstream/drains.ts";
import { FetchedModels } from "../../src/upstream/fetched-models.ts";
import { Routes } from "../../src/upstream/routing.ts";
import { ENGINES, type Engine, type Site } from "../store/engines.ts";
import { PlainBooks } from "./plain-books.ts";
import { SILENT } from "./silent-log.ts";

const VAULT = createVault("a secret of the tests that is long enough");

type JsonObject = Record<string, unknown>;

const VISITOR = { userId: undefined, name: "token tests", operator: true };

/** Doors that let everybody in as the operator; who may enter is tested where doors are made. */
const OPEN_DOORS: Doors = {
  signedIn: (method, path, handle) => ({
    method,
    path,
    handle: (incoming) => handle({ incoming, visitor: VISITOR }),
  }),
  account: () => {
    throw new Error("the operator's pages are of no account");
  },
  operator: (method, path, handle) => ({
    method,
    path,
    handle: (incoming) => handle({ incoming, visitor: VISITOR }),
  }),
};

/** A vendor that speaks chat and lists its models, and refuses whoever has another key. */
export class SmallVendor {
  readonly calls: { readonly path: string; readonly body: JsonObject }[] = [];
  key = "sk-vendor-key-0001";
  models = ["small-model"];
  readonly #server: Bun.Server<undefined>;

  constructor() {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const text = await request.text();
        this.calls.push({ path: pathname, body: text ? JSON.parse(text) : {} });
        const given = request.headers.get("authorization")?.replace("Bearer ", "");
        if (given !== this.key) {
          const message = `Incorrect API key provided: ${given}.`;
          return Response.json({ error: { message, code: "invalid_api_key" } }, { status: 401 });
        }
        if (pathname.endsWith("/models")) {
          return Response.json({ data: this.models.map((id) => ({ id })) });
        }
        return Response.json({
          id: "chatcmpl-1",
          object: "chat.completion",
          created: 1,
          model: "vendor-name",
          choices: [
            { index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" },
          ],
          usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
        });
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/v1`;
  }

  stop(): Promise<void> {
    return this.#server.stop(true);
  }
}

interface HouseOptions {
  readonly engine?: Engine;
  readonly env?: Record<string, string>;
  /** The text of the operator's file. */
  readonly file?: string;
  /** Another database of the console than the store's, for a process beside another one. */
  readonly sql?: Sql;
}

function gatewayOf(
  config: Config,
  store: Store,
  tasks: TaskGroup,
  source: ChannelSource,
): Services {
  const { limits } = config;
  const catalogue = shippedCatalogue();
  const conversations = new Conversations(store.conversations, limits, systemClock, true);
  return {
    accounts: store.accounts,
    admission: new Admission(store.admission, limits, systemClock),
    ledger: new Ledger(store.ledger, limits, systemClock, tasks),
    books: store.ledger,
    conversations,
    turns: conversations,
    catalogue,
    routes: new Routes(catalogue, source.channels([]), limits, systemClock),
    wires: openWires(limits),
    drains: new Drains(limits.drains_max),
    bodies: new BodyReader(limits),
    limits,
    clock: systemClock,
    watchdog: new Watchdog(systemClock),
    tasks,
    log: SILENT,
  };
}

interface InstallationParts {
  readonly gateway: Services;
  readonly source: ChannelSource;
  readonly file: ConfigFile | undefined;
  readonly shipped: Catalogue;
  readonly store: OperatorTables;
}

function installationOf({ gateway, ...parts }: InstallationParts): Installation {
  const { catalogue, routes, limits, tasks } = gateway;
  return new Installation({
    ...parts,
    vault: VAULT,
    defaults: {
      signup: "invite",
      signupCredit: 0n,
      displayCurrency: undefined,
      markupPercent: parts.file?.markupPercent,
    },
    catalogue,
    routes,
    fetched: new FetchedModels(routes, limits, () => {}),
    tasks,
    log: SILENT,
  });
}

function operatorOf(
  gateway: Services,
  store: Store,
  noted: AuditEntry[],
): Omit<OperatorServices, "store" | "books" | "installation" | "metrics"> {
  const accounts = new Accounts(store.accounts, systemClock, 0);
  return {
    accounts: {
      createAccount: (name, settings) => accounts.createAccount(name, settings),
      updateAccount: (id, changes) => store.accounts.updateAccount(id, changes),
    },
    audit: {
      async write(entry) {
        noted.push(entry);
      },
    },
    vault: VAULT,
    catalogue: gateway.catalogue,
    routes: gateway.routes,
    wires: gateway.wires,
    clock: systemClock,
    version: "0.0.0",
    startedAtMs: systemClock(),
    gauges: () => ({ waiting: gateway.admission.waiting }),
    verify: () => store.ledger.verify(),
  };
}

/** The key of an account with a hundred dollars. */
async function customerOf(store: Store): Promise<string> {
  const accounts = new Accounts(store.accounts, systemClock, 0);
  const { id: accountId } = await accounts.createAccount("Ann");
  const credit = { id: "credit-1", accountId, kind: "topup", note: "", createdAtMs: 1 } as const;
  await store.ledger.credit({ ...credit, amount: 100_000_000_000n });
  const made = await accounts.createKey(accountId, { name: "k", accountRead: true });
  if (!made) throw new Error("there is no account for the key");
  return made.key;
}

export class OperatorHouse {
  readonly url: string;
  readonly installation: Installation;
  readonly services: OperatorServices;
  readonly store: Store;
  readonly noted: AuditEntry[];
  readonly key: string;
  /** The database of money, past the store. */
  readonly site: Site;
  readonly #close: () => Promise<void>;

  private constructor(
    url: string,
    services: OperatorServices,
    store: Store,
    noted: AuditEntry[],
    key: string,
    site: Site,
    close: () => Promise<void>,
  ) {
    this.url = url;
    this.services = services;
    this.installation = services.installation;
    this.store = store;
    this.noted = noted;
    this.key = key;
    this.site = site;
    this.#close = close;
  }

  static async open(options: HouseOptions = {}): Promise<OperatorHouse> {
    const engine = options.engine ?? (ENGINES[0] as Engine);
    const site = await engine.create();
    try {
      return await OperatorHouse.#openAt(site, options);
    } catch (thrown) {
      await site.remove();
      throw thrown;
    }
  }

  static async #openAt(site: Site, options: HouseOptions): Promise<OperatorHouse> {
    const config = readConfig({ FAREGATE_PORT: "0", ...options.env });
    const metrics = new Metrics();
    const store = measuredStore(await site.open(), metrics, systemClock);
    const sql = options.sql ?? store.sql;
    await migrateRooms(sql, [OPERATOR_TABLES]);
    const tasks = new TaskGroup((thrown) => {
      throw thrown;
    });
    const source = new ChannelSource(config);
    const gateway = gatewayOf(config, store, tasks, source);
    const file =
      options.file === undefined ? undefined : parseConfigFile(options.file, "faregate.yaml", {});
    const shipped = shippedCatalogue();
    const tables = new OperatorTables(sql);
    const installation = installationOf({ gateway, source, file, shipped, store: tables });
    await installation.reload();
    const noted: AuditEntry[] = [];
    const services: OperatorServices = {
      ...operatorOf(gateway, store, noted),
      store: tables,
      books: new PlainBooks(site),
      installation,
      metrics,
    };
    const operator = operatorRoutes(services, OPEN_DOORS, { shipped, file, metricsPublic: false });
    const http = new HttpServer({
      config,
      log: SILENT,
      routes: [...gatewayRoutes(gateway), ...operator],
      sockets: [],
      ready: async () => {},
    });
    const stopLooking = installation.start();
    const close = async () => {
      stopLooking();
      await http.stop();
      await tasks.settled();
      await site.remove();
    };
    const url = `http://127.0.0.1:${http.port}`;
    return new OperatorHouse(url, services, store, noted, await customerOf(store), site, close);
  }

  /** A call of the operator's API, its answer parsed. */
  async ask<T = JsonObject>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T }> {
    const response = await fetch(`${this.url}/api/operator${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  /** A chat call of a customer. */
  chat(model: string): Promise<Response> {
    return fetch(`${this.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "hi" }] }),
    });
  }

  async listed(): Promise<string[]> {
    const response = await fetch(`${this.url}/v1/models`, {
      headers: { authorization: `Bearer ${this.key}` },
    });
    const { data } = (await response.json()) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  }

  /** The receipt of an answer. */
  async receipt(answer: Response): Promise<JsonObject> {
    const id = answer.headers.get("x-request-id");
    const response = await fetch(`${this.url}/v1/generation?id=${id}`, {
      headers: { authorization: `Bearer ${this.key}` },
    });
    return (await response.json()) as JsonObject;
  }

  close(): Promise<void> {
    return this.#close();
  }
}
