import { type ComponentType, lazy, type ReactNode, Suspense } from "react";

/**
 * A part of a page whose code is fetched when it is first drawn: a dialog, a drawer, a menu. What is
 * not on a page at first should not be loaded with it.
 *
 *     const EditDialog = lazyPart(async () => (await import("./edit-dialog.tsx")).EditDialog);
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }));
  // biome-ignore lint/correctness/noComponentHookFactories: called once, where a module is loaded.
  return function LazyPart(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}
