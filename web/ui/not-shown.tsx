import type { ReactNode } from "react";
import { isMissing } from "../lib/api.ts";
import { Link } from "../lib/link.tsx";
import { buttonClass } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { NotLoaded } from "./not-loaded.tsx";

interface NotShownProps {
  readonly error: unknown;
  readonly retry: () => unknown;
  readonly icon: ReactNode;
  /** What is said where there is no such thing. */
  readonly missing: string;
  /** The next step then, in a sentence. */
  readonly children?: ReactNode;
  /** The list that has all there are, and its name. */
  readonly list: string;
  readonly listName: string;
}

/**
 * Stands where a page of one thing has nothing to show. That there is no such thing is said only where the server
 * says so: whoever was merely not answered would believe that it is gone.
 */
export function NotShown(props: NotShownProps) {
  const { error, retry, icon, missing, children, list, listName } = props;
  if (!isMissing(error)) return <NotLoaded page error={error} retry={retry} />;
  const action = (
    <Link to={list} className={buttonClass()}>
      {listName}
    </Link>
  );
  return (
    <EmptyState page icon={icon} title={missing} action={action}>
      {children}
    </EmptyState>
  );
}
