import type { Incoming, LeaveSignal, Sent, SentHeaders } from "../../lib/route.ts";
import type { ClientRequest, PassWire, VendorResult } from "../../protocols/wire.ts";
import type { AdmittedRequest } from "../admitted-request.ts";
import type { Body } from "../arriving/body.ts";
import type { AnswerRecorder } from "../idempotency/answer-recorder.ts";
import type { StoredTurn } from "../stored-turn.ts";

export type Reshape = (result: VendorResult, request: ClientRequest) => VendorResult;

/** Everything an admitted request needs on its way to a vendor and back. */
export interface Dispatch {
  readonly wire: PassWire;
  readonly admitted: AdmittedRequest;
  readonly request: ClientRequest;
  readonly turn: StoredTurn;
  /** Where the answer may be asked for again. */
  readonly recorder: AnswerRecorder | undefined;
  /** Another form for the answer, where the client asked for something that is made of one. */
  readonly reshape: Reshape | undefined;
  /** What it holds of the budget for bodies, until its answer begins. */
  readonly body: Pick<Body, "release">;
  /** Headers that the answer has, whoever gives it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the client's request. */
  readonly asked: SentHeaders;
  /** Fires when the client has left. */
  readonly signal: LeaveSignal;
  /** Who waits for the answer. */
  readonly client: Pick<Incoming<Sent>, "isBeingAnswered">;
}
