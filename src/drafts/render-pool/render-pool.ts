import { Fault } from "../../lib/faults.ts";
import { PoolFull, ThreadPool, WorkTooSlow } from "../../lib/threads/thread-pool.ts";
import type { ArticleRenderer, RendererFor } from "./article-renderer.ts";
import type { RenderTask } from "./render-worker.ts";

interface RenderPoolLimits {
  readonly draft_render_ms: number;
  readonly draft_render_threads: number;
  readonly draft_render_idle_ms: number;
  readonly draft_renders_waiting_max: number;
  readonly draft_renders_per_account_max: number;
}

/** Renders are short, so a free thread is near. */
const RETRY_SECONDS = 2;

function tooSlow(renderMs: number, cause: Error): Fault {
  const message =
    `The articles take longer than ${renderMs} ms to render and were given up. Make them simpler: ` +
    "fewer nested lists, quotes and emphasis, shorter tables, blocks of code and formulas, or " +
    "several drafts in place of one.";
  return new Fault("render_too_slow", message, { param: "articles", cause });
}

function tooMany({ draft_renders_per_account_max: max }: RenderPoolLimits, cause: Error): Fault {
  const message =
    `Too many articles are being rendered: one at a time for each account, and at most ${max} with ` +
    `those that wait. Please try again in ${RETRY_SECONDS}s.`;
  const headers = {
    "retry-after": String(RETRY_SECONDS),
    "retry-after-ms": String(RETRY_SECONDS * 1000),
    "x-faregate-limit": "renders",
  };
  return new Fault("rate_limit_exceeded", message, { headers, cause });
}

export interface RenderPool {
  readonly rendererFor: RendererFor;
  close(): Promise<void>;
}

/** Renders in worker threads, ends renders that take too long, and lets no account keep the others waiting. */
export function openRenderPool(limits: RenderPoolLimits): RenderPool {
  const pool = new ThreadPool<RenderTask, unknown>(new URL("./render-worker.ts", import.meta.url), {
    threadsMax: limits.draft_render_threads,
    workMs: limits.draft_render_ms,
    idleMs: limits.draft_render_idle_ms,
    waitingMax: limits.draft_renders_waiting_max,
    perNameMax: limits.draft_renders_per_account_max,
  });
  const told = (thrown: unknown): unknown => {
    if (thrown instanceof WorkTooSlow) return tooSlow(limits.draft_render_ms, thrown);
    return thrown instanceof PoolFull ? tooMany(limits, thrown) : thrown;
  };
  const rendererFor = (accountId: string): ArticleRenderer => {
    const ask =
      <Call extends keyof ArticleRenderer>(call: Call) =>
      (...args: Parameters<ArticleRenderer[Call]>) =>
        pool.run(accountId, { call, args }).catch((thrown) => {
          throw told(thrown);
        }) as ReturnType<ArticleRenderer[Call]>;
    return {
      judge: ask("judge"),
      preview: ask("preview"),
      placeImages: ask("placeImages"),
      mark: ask("mark"),
      matching: ask("matching"),
    };
  };
  return { rendererFor, close: () => pool.close() };
}
