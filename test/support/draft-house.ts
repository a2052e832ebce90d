// A draft box for tests: the tables are real, the platform is the stub, time passes only by waiting.
import { createHash } from "node:crypto";
import type { ArticleDoc } from "../../src/drafts/article-doc.ts";
import { type DraftBox, openDraftBox } from "../../src/drafts/draft-box.ts";
import { type Picture, PictureError, type PictureFile } from "../../src/drafts/images/picture.ts";
import type { PlatformFetch } from "../../src/drafts/platform-wire.ts";
import type { DraftBoxStore } from "../../src/drafts/store.ts";
import type { Workshop } from "../../src/drafts/workshop.ts";
import { newId } from "../../src/lib/ids.ts";
import { createVault } from "../../src/lib/vault.ts";
import { openDraftBoxStore } from "../../src/store/console/drafts.ts";
import { DRAFTS_TABLES } from "../../src/store/console/drafts-tables.ts";
import type { Sql } from "../../src/store/sql.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { consoleDatabases } from "../store/console.ts";
import { STUB_URL, type StubFault, WechatStub } from "./wechat-stub.ts";

/** The tables of drafts on both engines, and the store of a process that has them open. */
export function draftDatabases() {
  return consoleDatabases().map(({ name, open }) => ({
    name,
    open: () => open(DRAFTS_TABLES),
    storeOn: openDraftBoxStore,
  }));
}

/** Where one engine is enough. */
export async function openDraftTables() {
  const [sqlite] = draftDatabases();
  if (!sqlite) throw new Error("there is no database to test with");
  return sqlite.open();
}

function pictureFile(seed: string): PictureFile {
  const bytes = new TextEncoder().encode(`picture ${seed}`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const size = { width: 900, height: 383 };
  return { bytes, name: "p.jpg", contentType: "image/jpeg", sha256, notes: [], ...size };
}

/** Renders next to nothing, so that a test sees what the rooms around it do. */
export const plainWorkshop: Workshop = {
  images: {
    load: async (ref) => {
      const seed = "url" in ref ? ref.url : ref.data;
      if (!seed.includes("broken")) return { ...pictureFile(seed), kind: "jpeg" } as Picture;
      throw new PictureError({
        code: "image_damaged",
        field: "url",
        message: "The picture is damaged.",
        fix: "Use another one.",
      });
    },
    forBody: async (picture) => picture,
    forMaterial: async (picture) => picture,
    titleCard: async ({ title }) => pictureFile(`card ${title}`),
  },
  render: async ({ text }) => {
    const images = [...text.matchAll(/!\[(.*?)\]\((.*?)\)/g)];
    const body = text.replace(/!\[(.*?)\]\((.*?)\)/g, '<img src="$2" alt="$1">');
    const html = `<section><p>${body}</p></section>`;
    return { html, text, images: images.map(([, alt = "", src = ""]) => ({ alt, src })) };
  },
  renderPlain: (text) => text,
  placeImages: (html, urls) =>
    html.replace(/src="([^"]*)"/g, (_all, src: string) => `src="${urls.get(src) ?? src}"`),
};

export function article(title: string, more: Partial<ArticleDoc> = {}): ArticleDoc {
  return {
    type: "news",
    title,
    source: { format: "markdown", text: `words of ${title}` },
    ...more,
  };
}

/** One process: it can die, after which nothing it began comes to an end. */
interface Life {
  dead: boolean;
  readonly died: Promise<void>;
  die(): void;
}

function newLife(): Life {
  const { promise, resolve } = Promise.withResolvers<void>();
  const life: Life = {
    dead: false,
    died: promise,
    die() {
      life.dead = true;
      resolve();
    },
  };
  return life;
}

const never = () => new Promise<never>(() => {});

/** A store whose calls hang once the process is dead; `beforeCall` may kill it. */
function mortal<T extends object>(target: T, life: Life, beforeCall: () => void): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        beforeCall();
        if (life.dead) return never();
        const result: unknown = await value.apply(object, args);
        return life.dead ? never() : result;
      };
    },
  });
}

export class DraftHouse {
  /** A Faregate account that has this stub as its sandbox. */
  readonly accountId = newId("acc_");
  nowMs = Date.UTC(2026, 10, 15, 8);
  readonly logged: string[] = [];
  readonly store: DraftBoxStore;
  readonly vault = createVault("a secret of thirty-two characters!");
  fault: (path: string) => StubFault | undefined = () => undefined;
  readonly stub = new WechatStub({
    clock: () => this.nowMs,
    pass: (ms) => {
      this.nowMs += ms;
    },
    fault: (path) => this.fault(path),
  });
  life = newLife();
  /** Called before every call of the store and of the platform. */
  onCall: () => void = () => {};

  constructor(sql: Sql) {
    this.store = openDraftBoxStore(sql);
  }

  /** A process that starts; the one before it must be dead or done. */
  start(
    options: {
      readonly publishOn?: boolean;
      readonly fetch?: PlatformFetch;
      readonly charsMax?: number;
    } = {},
  ): DraftBox {
    const life = newLife();
    this.life = life;
    const hook = () => {
      if (!life.dead) this.onCall();
    };
    const parts = Object.entries(this.store).map(([name, part]) => [
      name,
      mortal(part, life, hook),
    ]);
    const call = options.fetch ?? this.stub.fetch;
    return openDraftBox({
      store: Object.fromEntries(parts) as unknown as DraftBoxStore,
      vault: this.vault,
      workshop: plainWorkshop,
      fetch: async (address, request) => {
        hook();
        if (life.dead) return never();
        const answer = await call(address, request);
        return life.dead ? never() : answer;
      },
      openSandbox: async () => ({ appid: this.stub.appid, secret: this.stub.secret }),
      builtInUrl: () => STUB_URL,
      platformUrl: undefined,
      publishOn: options.publishOn ?? false,
      limits: {
        draft_call_ms: 30_000,
        draft_upload_ms: 60_000,
        draft_answer_bytes_max: 32 * 1024 * 1024,
        draft_busy_wait_ms: 60_000,
        draft_chars_max: options.charsMax ?? 256 * 1024 * 1024,
      },
      clock: () => this.nowMs,
      sleep: async (ms) => {
        if (life.dead) return never();
        this.nowMs += ms;
        await Bun.sleep(0);
      },
      log: createLog("debug", (line) => this.logged.push(line)),
    });
  }
}
