interface Call {
  readonly callId: string;
  readonly name: string;
}

/** Calls in the order in which they were made; those that were answered are passed over once. */
interface Line {
  readonly calls: Call[];
  next: number;
}

/** Calls that no result has been seen for. */
export class OpenCalls {
  readonly #byId = new Map<unknown, Line>();
  readonly #byName = new Map<unknown, Line>();
  readonly #answered = new Set<Call>();

  add(call: Call): void {
    append(this.#byId, call.callId, call);
    append(this.#byName, call.name, call);
  }

  /** The call that a result answers: by its id, or else the first of its name. */
  take(id: unknown, name: unknown): Call | undefined {
    const call = this.#first(this.#byId.get(id)) ?? this.#first(this.#byName.get(name));
    if (call) this.#answered.add(call);
    return call;
  }

  #first(line: Line | undefined): Call | undefined {
    if (!line) return undefined;
    for (; line.next < line.calls.length; line.next++) {
      const call = line.calls[line.next];
      if (call && !this.#answered.has(call)) return call;
    }
    return undefined;
  }
}

function append(lines: Map<unknown, Line>, key: string, call: Call): void {
  const line = lines.get(key);
  if (line) line.calls.push(call);
  else lines.set(key, { calls: [call], next: 0 });
}
