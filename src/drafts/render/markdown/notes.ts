// What rendering changed or left out, counted and named, so that an author can be told.

type NoteCode =
  | "script_removed"
  | "style_sheet_removed"
  | "element_removed"
  | "unsafe_address_removed"
  | "attribute_removed"
  | "style_removed"
  | "title_heading_removed"
  | "link_footnoted"
  | "list_flattened"
  | "formula_unreadable"
  | "diagram_not_drawn";

export interface RenderNote {
  readonly code: NoteCode;
  readonly count: number;
  /** Each thing that was taken out once, as it was written: `<iframe>`, `onclick`, `position`. */
  readonly names?: readonly string[];
}

/** Who wrote more kinds of them has seen enough of the list. */
const NAMES_MAX = 10;
const NAME_CHARS_MAX = 40;

export class Notes {
  readonly #counts = new Map<NoteCode, number>();
  readonly #names = new Map<NoteCode, Set<string>>();

  /** `name`: what was taken out, where that is what the note is about. */
  add(code: NoteCode, name?: string): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
    if (name === undefined) return;
    const names = this.#names.get(code) ?? new Set();
    this.#names.set(code, names);
    if (names.size < NAMES_MAX) names.add(name.slice(0, NAME_CHARS_MAX));
  }

  list(): readonly RenderNote[] {
    return [...this.#counts].map(([code, count]) => {
      const names = this.#names.get(code);
      return { code, count, ...(names && { names: [...names] }) };
    });
  }
}
