import { createContext } from "react";

/** Where the docs of the page are that is drawn inside; without one there is no link. */
export const HelpContext = createContext<string | undefined>(undefined);
