import { PoolFull, ThreadPool, WorkTooSlow } from "../../lib/threads/thread-pool.ts";
import { PlatformError } from "../platform-error.ts";
import type { ContentResult, ContentTask, StoredContent } from "./content-work.ts";

interface ContentLimits {
  readonly platform_content_ms: number;
  readonly platform_content_threads: number;
  readonly platform_content_idle_ms: number;
  readonly platform_content_waiting_max: number;
  readonly platform_content_account_max: number;
}

const INVALID = 45166;
const TOO_OFTEN = 45011;

function refusalOf(thrown: unknown): unknown {
  if (thrown instanceof WorkTooSlow) return new PlatformError(INVALID, "content");
  return thrown instanceof PoolFull ? new PlatformError(TOO_OFTEN, "content") : thrown;
}

/** Filters contents in threads, one of an account at a time: whoever writes decides how long it takes. */
export class ContentThreads {
  readonly #pool: ThreadPool<ContentTask, ContentResult>;

  constructor(limits: ContentLimits) {
    this.#pool = new ThreadPool(new URL("./content-worker.ts", import.meta.url), {
      threadsMax: limits.platform_content_threads,
      workMs: limits.platform_content_ms,
      idleMs: limits.platform_content_idle_ms,
      waitingMax: limits.platform_content_waiting_max,
      perNameMax: limits.platform_content_account_max,
    });
  }

  /** What the box keeps, or the refusal of it. */
  async store(appid: string, task: ContentTask): Promise<StoredContent> {
    const result = await this.#pool.run(appid, task).catch((thrown) => {
      throw refusalOf(thrown);
    });
    if ("errcode" in result) throw new PlatformError(result.errcode, "content");
    return result;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
