import { Fault } from "../../lib/faults.ts";
import type { ArticleRenderer, RendererFor } from "./article-renderer.ts";

/** Renders are short, and an account may ask for few in a minute, so a free thread is near. */
const LOOK_AGAIN_MS = 500;

function isFull(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.fault === "rate_limit_exceeded";
}

/**
 * A renderer for work in the background. No caller can be asked to retry it, so it waits while the pool is full.
 */
export function waitingRenderer(
  rendererFor: RendererFor,
  sleep: (ms: number) => Promise<void>,
): RendererFor {
  const waiting =
    <Given extends unknown[], Made>(work: (...given: Given) => Promise<Made>) =>
    async (...given: Given): Promise<Made> => {
      for (;;) {
        try {
          return await work(...given);
        } catch (thrown) {
          if (!isFull(thrown)) throw thrown;
        }
        await sleep(LOOK_AGAIN_MS);
      }
    };
  return (accountId): ArticleRenderer => {
    const renderer = rendererFor(accountId);
    return {
      judge: waiting(renderer.judge),
      preview: waiting(renderer.preview),
      placeImages: waiting(renderer.placeImages),
      mark: waiting(renderer.mark),
      matching: waiting(renderer.matching),
    };
  };
}
