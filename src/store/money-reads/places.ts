/** The values of a statement, each in its place. */
export class Places {
  readonly params: (string | number)[] = [];

  add(value: string | number): string {
    return `$${this.params.push(value)}`;
  }
}
