import { useCallback, useRef, useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { ApiError } from "../../lib/api.ts";
import { type Answer, NO_ANSWER } from "./answer.ts";
import { type Call, type Exchange, fetchReceipt, type Receipt, stream } from "./call.ts";

export interface Turn {
  readonly id: number;
  readonly prompt: string;
  readonly model: string;
  readonly answer: Answer;
  readonly state: "running" | "done" | "stopped" | "failed";
  readonly problem: string | undefined;
  readonly receipt: Receipt | undefined;
}

/** Only what was answered is said again; a failed turn would confuse the model. */
function exchangesOf(turns: readonly Turn[]): readonly Exchange[] {
  return turns
    .filter(({ answer }) => answer.text !== "")
    .map(({ prompt, answer }) => ({ prompt, answer: answer.text }));
}

function useProblemWords(): (thrown: unknown) => string {
  const { t } = useSpeech();
  return (thrown) => {
    // The gateway's own words say exactly which limit or member it is about.
    if (!(thrown instanceof ApiError)) return t("errors.offline");
    return thrown.status === 401 ? t("playground.badKey") : thrown.message;
  };
}

type Wishes = Omit<Call, "before">;

/** The turns of this page, and what can be done with them. */
export function useConversation() {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const running = useRef<AbortController>(undefined);
  const lastId = useRef(0);
  const wordsOf = useProblemWords();

  const patch = useCallback((id: number, changes: Partial<Turn>) => {
    setTurns((before) => before.map((turn) => (turn.id === id ? { ...turn, ...changes } : turn)));
  }, []);

  const finish = async (id: number, wishes: Wishes, before: readonly Exchange[]) => {
    const abort = new AbortController();
    running.current = abort;
    let requestId: string | undefined;
    try {
      await stream({ ...wishes, before }, abort.signal, {
        onStart: (found) => {
          requestId = found;
        },
        onAnswer: (answer) => {
          const { failure } = answer;
          patch(id, failure ? { answer, state: "failed", problem: failure } : { answer });
        },
      });
      setTurns((all) =>
        all.map((turn) =>
          turn.id === id && turn.state === "running" ? { ...turn, state: "done" } : turn,
        ),
      );
    } catch (thrown) {
      if (abort.signal.aborted) patch(id, { state: "stopped" });
      else patch(id, { state: "failed", problem: wordsOf(thrown) });
      // A refusal costs nothing and has nothing to show.
      if (thrown instanceof ApiError) return;
    }
    if (requestId === undefined) return;
    const receipt = await fetchReceipt(wishes.secret, requestId);
    if (receipt) patch(id, { receipt });
  };

  return {
    turns,
    running: turns.at(-1)?.state === "running",
    send(wishes: Wishes) {
      lastId.current += 1;
      const id = lastId.current;
      const { prompt, model } = wishes;
      const fresh = { id, prompt, model, answer: NO_ANSWER, state: "running" } as const;
      const before = exchangesOf(turns);
      setTurns([...turns, { ...fresh, problem: undefined, receipt: undefined }]);
      void finish(id, wishes, before);
    },
    stop: () => running.current?.abort(),
    clear() {
      running.current?.abort();
      setTurns([]);
    },
  };
}
