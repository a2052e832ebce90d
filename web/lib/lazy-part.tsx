import {
  Component,
  type ComponentType,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
} from "react";
import { isMissingCode, loaded } from "./loaded.ts";

export interface PartAwayProps {
  readonly error: unknown;
  /** Gives the part up, where it can be closed. */
  readonly onClose: (() => void) | undefined;
}

/** Stands for a part whose code did not come. Without one the whole page says so. */
export const PartAwayContext = createContext<ComponentType<PartAwayProps> | undefined>(undefined);

interface BoundaryProps {
  readonly away: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

class PartBoundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (!isMissingCode(error)) throw error;
    return this.props.away(error);
  }
}

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
  return function LazyPart(props) {
    const PartAway = use(PartAwayContext);
    const away = (error: unknown) => {
      if (!PartAway) throw error;
      return <PartAway error={error} onClose={closeOf(props)} />;
    };
    return (
      <PartBoundary away={away}>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    );
  };
}

function closeOf(props: object): (() => void) | undefined {
  return "onClose" in props && typeof props.onClose === "function"
    ? (props.onClose as () => void)
    : undefined;
}
