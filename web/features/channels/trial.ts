import { useState } from "react";
import type { ChannelTrial } from "../../../src/console/operator/contract/channels.ts";
import { ApiError, api } from "../../lib/api.ts";
import { useErrorWords } from "../../lib/error-words.ts";
import { useHere } from "../../lib/here.ts";
import { CHANNELS_PATH } from "./paths.ts";

type Form = Readonly<Record<string, unknown>>;

/** What came of a trial, of which form. */
export interface Tried {
  readonly form: string;
  readonly ok: boolean;
  readonly result: ChannelTrial | undefined;
  /** Why it could not even be tried. */
  readonly problem: string | undefined;
}

/** It names nothing that could be asked for: no mistake of the form, which may be saved all the same. */
function isUntestable(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.status === 400 && thrown.param === "models";
}

/**
 * Tries what would be saved. A form that was tried as it is, and failed, may be saved all the same: whoever
 * insists has seen why.
 */
export function useTrial() {
  const wordsOf = useErrorWords();
  const here = useHere();
  const [tried, setTried] = useState<Tried>();
  const [busy, setBusy] = useState(false);
  const attempt = async (form: Form): Promise<Omit<Tried, "form">> => {
    try {
      const result = await api.post<ChannelTrial>(`${CHANNELS_PATH}/try`, form);
      return { ok: result.ok, result, problem: undefined };
    } catch (thrown) {
      if (!isUntestable(thrown)) throw thrown;
      return { ok: false, result: undefined, problem: wordsOf(thrown) };
    }
  };
  const run = async (form: Form): Promise<boolean> => {
    setBusy(true);
    try {
      const outcome = await attempt(form);
      setTried({ form: JSON.stringify(form), ...outcome });
      return outcome.ok;
    } finally {
      setBusy(false);
    }
  };
  const isTried = (form: Form) => tried?.form === JSON.stringify(form);
  return {
    tried,
    busy,
    run,
    /** This very form was tried, and failed. */
    failed: (form: Form) => isTried(form) && tried?.ok === false,
    /**
     * Whether it may be saved: it works, or whoever saves it knows that it does not. Who left while it was tried
     * wants nothing saved.
     */
    settles: async (form: Form) => isTried(form) || ((await run(form)) && here.current),
  };
}
