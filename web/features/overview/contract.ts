/** What a snippet needs to know of a model. */
export interface OfferedModel {
  readonly id: string;
  readonly endpoints: readonly string[];
}
