import type { Limits } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";
import { PoolFull, ThreadPool, WorkTooSlow } from "../../lib/threads/thread-pool.ts";
import type { BoxedDraft } from "../../platform/draftbox/draft.ts";
import type { Draft } from "../contract/material.ts";
import type { FramedArticle } from "./article-frame.ts";
import type { MaterialTask } from "./material-worker.ts";

type ThreadLimits = Pick<Limits, Extract<keyof Limits, `platform_content_${string}`>>;

const RETRY_SECONDS = 2;

function faultOf(thrown: unknown): unknown {
  if (thrown instanceof WorkTooSlow) {
    const message = "This draft takes too long to be shown; it was written to be hard to read.";
    return new Fault("render_too_slow", message, { param: "id", cause: thrown });
  }
  if (!(thrown instanceof PoolFull)) return thrown;
  const message = `Too many drafts are being shown. Please try again in ${RETRY_SECONDS}s.`;
  const headers = { "retry-after": String(RETRY_SECONDS) };
  return new Fault("rate_limit_exceeded", message, { headers, cause: thrown });
}

/** Shows drafts of the boxes, whose HTML anybody may have sent, in threads. */
export class MaterialThreads {
  readonly #pool: ThreadPool<MaterialTask, unknown>;

  constructor(limits: ThreadLimits) {
    this.#pool = new ThreadPool(new URL("./material-worker.ts", import.meta.url), {
      threadsMax: limits.platform_content_threads,
      workMs: limits.platform_content_ms,
      idleMs: limits.platform_content_idle_ms,
      waitingMax: limits.platform_content_waiting_max,
      perNameMax: limits.platform_content_account_max,
    });
  }

  /** The document of a frame. */
  async frame(appid: string, article: FramedArticle): Promise<string> {
    return (await this.#run(appid, { frame: article })) as string;
  }

  /** A draft as it was sent against what the platform made of it. */
  async draft(appid: string, draft: BoxedDraft): Promise<Draft> {
    return (await this.#run(appid, { draft })) as Draft;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #run(appid: string, task: MaterialTask): Promise<unknown> {
    return this.#pool.run(appid, task).catch((thrown) => {
      throw faultOf(thrown);
    });
  }
}
