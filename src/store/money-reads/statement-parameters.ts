/** Collects the parameters of a statement and gives each its number. */
export class StatementParameters {
  readonly params: (string | number)[] = [];

  add(value: string | number): string {
    return `$${this.params.push(value)}`;
  }
}
