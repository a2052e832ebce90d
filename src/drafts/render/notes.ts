// What rendering changed or left out, counted, so that an author can be told.

type NoteCode =
  | "script_removed"
  | "style_sheet_removed"
  | "element_removed"
  | "unsafe_address_removed"
  | "style_removed"
  | "title_heading_removed"
  | "link_footnoted"
  | "list_flattened"
  | "formula_unreadable"
  | "diagram_not_drawn";

export interface RenderNote {
  readonly code: NoteCode;
  readonly count: number;
}

export class Notes {
  readonly #counts = new Map<NoteCode, number>();

  add(code: NoteCode): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  list(): readonly RenderNote[] {
    return [...this.#counts].map(([code, count]) => ({ code, count }));
  }
}
