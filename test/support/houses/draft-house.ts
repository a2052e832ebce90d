// A draft box for tests: the tables are real, the platform is the stub, time passes only by waiting.
import { createHash } from "node:crypto";
import type { AuditEntry } from "../../../src/accounts/audit.ts";
import { readConfig } from "../../../src/config/config.ts";
import type { Workshop } from "../../../src/drafts/article/workshop.ts";
import type { ArticleDoc } from "../../../src/drafts/contract/article.ts";
import { type DraftService, openDraftService } from "../../../src/drafts/draft-service.ts";
import {
  type Picture,
  PictureError,
  type PictureFile,
} from "../../../src/drafts/images/picture.ts";
import type { PlatformFetch } from "../../../src/drafts/platform-api/platform-http.ts";
import {
  type ArticleRenderer,
  articleRenderer,
} from "../../../src/drafts/render-pool/article-renderer.ts";
import type { Renderer } from "../../../src/drafts/render-pool/renderer.ts";
import type { DraftBoxStore } from "../../../src/drafts/tables/open.ts";
import { openDraftBoxStore } from "../../../src/drafts/tables/open.ts";
import { DRAFTS_TABLES } from "../../../src/drafts/tables/versions.ts";
import { newId } from "../../../src/lib/ids.ts";
import type { Sql } from "../../../src/lib/sql/sql.ts";
import { SQLITE, tablesOn } from "../../store/engines.ts";
import { keptLog } from "../logs.ts";
import { STUB_URL, type StubFault, WechatStub } from "../outside/wechat-stub.ts";
import { VAULT } from "../vault.ts";
import type { Parts } from "./house.ts";

/** The store of drafts on a database of its own; `again` opens it as another process would. */
export async function draftStores(parts: Parts, engine = SQLITE) {
  const { sql, again } = await tablesOn(parts, engine, DRAFTS_TABLES);
  return {
    sql,
    store: openDraftBoxStore(sql),
    again: async () => openDraftBoxStore(await again()),
  };
}

/** A store that lets whoever comes next wait before a transaction. */
export function holdingStore(sql: Sql) {
  let next: { arrived(): void; go: Promise<void> } | undefined;
  const held: Sql = {
    query: (text, params) => sql.query(text, params),
    nowMs: () => sql.nowMs(),
    async transaction(work) {
      const hold = next;
      next = undefined;
      hold?.arrived();
      await hold?.go;
      return sql.transaction(work);
    },
  };
  return {
    store: openDraftBoxStore(held),
    hold() {
      const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      next = { arrived: arrived.resolve, go: go.promise };
      return { arrived: arrived.promise, go: go.resolve };
    },
  };
}

const JPEG = { name: "p.jpg", contentType: "image/jpeg" };

function pictureFile(seed: string): PictureFile {
  const bytes = new TextEncoder().encode(`picture ${seed}`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const size = { width: 900, height: 383 };
  // What the name says of it is true here: `moving.gif` is a GIF, and `first-frame` was one.
  const isGif = seed.endsWith(".gif") || seed.startsWith("data:image/gif");
  const kind = isGif ? { name: "p.gif", contentType: "image/gif" } : JPEG;
  const notes = seed.includes("first-frame") ? (["reencoded", "first_frame"] as const) : [];
  return { bytes, ...kind, sha256, notes, ...size };
}

/** Renders next to nothing, so that a test sees what the rooms around it do. */
export const plainRenderer: Renderer = {
  render: async ({ text }) => {
    const images = [...text.matchAll(/!\[(.*?)\]\((.*?)\)/g)];
    const body = text.replace(/!\[(.*?)\]\((.*?)\)/g, '<img src="$2" alt="$1">');
    const html = `<section><p>${body}</p></section>`;
    return { html, images: [...new Set(images.map(([, , src = ""]) => src))], notes: [] };
  },
  renderPlain: (text) => text,
  placeImages: (html, urls) =>
    html.replace(/src="([^"]*)"/g, (_all, src: string) => `src="${urls.get(src) ?? src}"`),
};

export const plainArticleRenderer = articleRenderer(plainRenderer);

const plainWorkshop: Omit<Workshop, "rendererFor"> = {
  imagesFor: () => ({
    load: async (ref) => {
      const seed = "url" in ref ? ref.url : "data" in ref ? ref.data : "";
      if (!seed.includes("broken")) return { ...pictureFile(seed), kind: "jpeg" } as Picture;
      throw new PictureError("image_damaged", "The picture is damaged.", "Use another one.");
    },
    forBody: async (picture) => picture,
    forMaterial: async (picture) => picture,
    titleCard: async ({ title }) => pictureFile(`card ${title}`),
  }),
};

export function article(title: string, more: Partial<ArticleDoc> = {}): ArticleDoc {
  return {
    type: "news",
    title,
    source: { format: "markdown", text: `words of ${title}` },
    ...more,
  };
}

const never = () => new Promise<never>(() => {});

/** One process: it can die, after which nothing it began comes to an end. */
export class Life {
  dead = false;
  /** It stands still: what it does every so often is not done. */
  held = false;
  readonly #end = Promise.withResolvers<void>();
  readonly died = this.#end.promise;

  die(): void {
    this.dead = true;
    this.#end.resolve();
  }

  async live<T>(work: () => Promise<T>): Promise<T> {
    if (this.dead) return never();
    const result = await work();
    return this.dead ? never() : result;
  }
}

/** A store whose calls hang once the process is dead; `beforeCall` may kill it. */
function mortal<T extends object>(target: T, life: Life, beforeCall: () => void): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        beforeCall();
        return life.live(async () => value.apply(object, args));
      };
    },
  });
}

interface Timer {
  readonly life: Life;
  readonly periodMs: number;
  readonly tick: () => void;
  dueMs: number;
}

interface StartOptions {
  /** The handle of this process on the tables; the house's own where absent. */
  readonly store?: DraftBoxStore;
  readonly publishOn?: boolean;
  readonly fetch?: PlatformFetch;
  /** Replaces methods of its renderer. */
  readonly renderer?: Partial<ArticleRenderer>;
  readonly charsMax?: number;
  readonly picturesBytesMax?: number;
  /** How far the clock of this process is ahead of the database's. */
  readonly aheadMs?: number;
}

export class DraftHouse {
  /** A Faregate account that has this stub as its sandbox. */
  readonly accountId = newId("acc_");
  nowMs = Date.UTC(2026, 10, 15, 8);
  /** How far somebody has set our clocks forward, or back; the platform's go on. */
  clockSetMs = 0;
  readonly store: DraftBoxStore;
  readonly #log = keptLog();
  readonly logged = this.#log.lines;
  fault: (path: string) => StubFault | undefined = () => undefined;
  readonly stub = new WechatStub({
    clock: () => this.nowMs,
    pass: (ms) => this.pass(ms),
    fault: (path) => this.fault(path),
  });
  life = new Life();
  readonly #timers = new Set<Timer>();
  /** What the audit log was told, each line once. */
  readonly told: AuditEntry[] = [];
  /** Called before the audit log is told something. */
  onTell: () => void | Promise<void> = () => {};
  /** Called before every call of the store and of the platform. */
  onCall: () => void = () => {};
  /** Called when somebody begins to wait. */
  onWait: () => void = () => {};

  constructor(store: DraftBoxStore) {
    this.store = store;
  }

  /** Time goes by, and whoever lives does what it does every so often. */
  pass(ms: number): void {
    const endMs = this.nowMs + ms;
    for (;;) {
      const due = [...this.#timers]
        .filter(({ life, dueMs }) => !life.dead && !life.held && dueMs <= endMs)
        .sort((one, other) => one.dueMs - other.dueMs)[0];
      if (!due) break;
      this.nowMs = Math.max(this.nowMs, due.dueMs);
      due.dueMs += due.periodMs;
      due.tick();
    }
    this.nowMs = endMs;
  }

  #every(life: Life, periodMs: number, tick: () => void): () => void {
    const timer = { life, periodMs, tick, dueMs: this.nowMs + periodMs };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  async #tell(entry: AuditEntry): Promise<void> {
    await this.onTell();
    const isTold = this.told.some(({ kept }) => kept && kept.id === entry.kept?.id);
    if (!isTold) this.told.push(entry);
  }

  /** A process that starts; its life is the house's until the next one does. */
  start(options: StartOptions = {}): DraftService {
    const { store = this.store, publishOn = false, fetch = this.stub.fetch, charsMax } = options;
    const { aheadMs = 0 } = options;
    const { clockSetMs: setBeforeMs } = this;
    const life = new Life();
    this.life = life;
    const hook = () => {
      if (!life.dead) this.onCall();
    };
    const parts = Object.entries(store).map(([name, part]) => [name, mortal(part, life, hook)]);
    const { limits } = readConfig({});
    return openDraftService({
      store: Object.fromEntries(parts) as unknown as DraftBoxStore,
      vault: VAULT,
      workshop: {
        ...plainWorkshop,
        rendererFor: () => ({ ...plainArticleRenderer, ...options.renderer }),
      },
      fetch(address, request) {
        hook();
        return life.live(() => fetch(address, request));
      },
      openSandbox: async () => ({ appid: this.stub.appid, secret: this.stub.secret }),
      builtInUrl: () => STUB_URL,
      platformUrl: null,
      publishOn,
      limits: {
        ...limits,
        draft_chars_max: charsMax ?? limits.draft_chars_max,
        draft_pictures_bytes_max: options.picturesBytesMax ?? limits.draft_pictures_bytes_max,
      },
      clock: () => this.nowMs + aheadMs + this.clockSetMs,
      sharedTime: async () => this.nowMs,
      steady: () => this.nowMs + aheadMs + setBeforeMs,
      sleep: (ms) =>
        life.live(async () => {
          this.onWait();
          this.pass(ms);
          await Bun.sleep(0);
        }),
      every: (periodMs, tick) => this.#every(life, periodMs, tick),
      log: this.#log.log,
      audit: { write: (entry) => life.live(() => this.#tell(entry)) },
    });
  }
}
