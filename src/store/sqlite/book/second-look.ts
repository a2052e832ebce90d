import type {
  AdmissionOutcome,
  AdmissionRequest,
  RaiseOutcome,
  RaiseRequest,
} from "../../../admission/request.ts";
import { StorageError } from "../../../lib/faults.ts";

interface Judges {
  raise(request: RaiseRequest, blocked: Set<string>): RaiseOutcome | Promise<RaiseOutcome>;
  admit(
    request: AdmissionRequest,
    blocked: Set<string>,
  ): AdmissionOutcome | Promise<AdmissionOutcome>;
}

interface Asked<Request, Outcome> {
  readonly request: Request;
  readonly answer: PromiseWithResolvers<Outcome>;
}

/**
 * Who cannot go on at once is judged again when what is being settled at that moment is on disk: first who
 * runs and asks for more, then who has not begun, each in order. Nobody overtakes them meanwhile.
 */
export class SecondLook {
  readonly #judges: Judges;
  readonly #blocked = new Set<string>();
  #raises: Asked<RaiseRequest, RaiseOutcome>[] = [];
  #admits: Asked<AdmissionRequest, AdmissionOutcome>[] = [];

  constructor(judges: Judges) {
    this.#judges = judges;
  }

  /** Whether somebody is to be judged before whoever asks for this money now. */
  isBlocked(accountId: string, keyId: string): boolean {
    return this.#blocked.size > 0 && (this.#blocked.has(accountId) || this.#blocked.has(keyId));
  }

  raise(request: RaiseRequest): Promise<RaiseOutcome> {
    const answer = Promise.withResolvers<RaiseOutcome>();
    this.#raises.push({ request, answer });
    return this.#blocking(request, answer.promise);
  }

  admit(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const answer = Promise.withResolvers<AdmissionOutcome>();
    this.#admits.push({ request, answer });
    return this.#blocking(request, answer.promise);
  }

  #blocking<T>({ accountId, keyId }: RaiseRequest | AdmissionRequest, promise: Promise<T>) {
    this.#blocked.add(accountId).add(keyId);
    return promise;
  }

  look(): void {
    if (this.#blocked.size === 0) return;
    const [raises, admits] = [this.#raises, this.#admits];
    this.#raises = [];
    this.#admits = [];
    this.#blocked.clear();
    const blocked = new Set<string>();
    for (const asked of raises) judge(asked, (request) => this.#judges.raise(request, blocked));
    for (const asked of admits) judge(asked, (request) => this.#judges.admit(request, blocked));
  }
}

function judge<Request, Outcome>(
  { request, answer }: Asked<Request, Outcome>,
  judged: (request: Request) => Outcome | Promise<Outcome>,
): void {
  try {
    answer.resolve(judged(request));
  } catch (thrown) {
    answer.reject(StorageError.from(thrown));
  }
}
