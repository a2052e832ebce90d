import { Link as RouterLink } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import type { Search } from "./filters.ts";
import { usePlace } from "./session.tsx";

interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  /** A path of the console, without its `/console`: `/keys/key_1`. */
  readonly to: string;
  readonly search?: Search;
  readonly children?: ReactNode;
}

/** A link inside the console. Its page's code is fetched when the pointer comes near. */
export function Link({ to, search, ...rest }: LinkProps) {
  // The router's own props forbid an explicit undefined, which plain attributes may be.
  const attributes = rest as object;
  const place = usePlace();
  return (
    <RouterLink
      {...attributes}
      // The router else calls every page above the one that is shown the current one.
      activeOptions={{ exact: true }}
      to={place(to)}
      {...(search && { search: search as never })}
    />
  );
}

/** As a link looks inside text, for those that leave the console. */
export const TEXT_LINK = "font-medium text-accent underline-offset-2 hover:underline";

export function TextLink({ className, ...rest }: LinkProps) {
  return <Link {...rest} className={className ? `${TEXT_LINK} ${className}` : TEXT_LINK} />;
}
