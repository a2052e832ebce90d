import { workInThread } from "../../lib/threads/thread.ts";
import { placeImages, renderArticle, renderPlain } from "../render/render-article.ts";
import { type Press, pressOf } from "./press.ts";

/** A call of the press, by its name and what it is given. */
export interface PressTask {
  readonly call: keyof Press;
  readonly args: readonly unknown[];
}

const press = pressOf({ render: renderArticle, renderPlain, placeImages });

workInThread(({ call, args }: PressTask): Promise<unknown> => {
  const work = press[call] as (...given: readonly unknown[]) => Promise<unknown>;
  return work(...args);
});
