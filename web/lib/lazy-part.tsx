import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { loaded } from "./loaded.ts";

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props & object : never;

/**
 * A part of a page whose code is fetched when it is first drawn: a dialog, a drawer, a menu. What is
 * not on a page at first should not be loaded with it.
 *
 *     const EditDialog = lazyPart(() => import("./edit-dialog.tsx"), "EditDialog");
 */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): (props: PropsOf<Module[Name]>) => ReactNode {
  const Part = lazy(async () => ({ default: (await loaded(load))[name] as ComponentType<object> }));
  // biome-ignore lint/correctness/noComponentHookFactories: called once, where a module is loaded.
  return function LazyPart(props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}
