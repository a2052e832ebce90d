import { createContext } from "react";

/** Whether it stands in what is open above the page, which gives the focus away by itself. */
export const InModalContext = createContext(false);

/** Names the field of a modal that is typed into first. */
export const TYPED_FIRST = "data-typed-first";
