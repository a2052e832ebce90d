import { useRef } from "react";
import type { KeyBody } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { useTimeZone } from "../../lib/session.tsx";
import {
  bodyOf,
  checkKey,
  fieldOf,
  type KeySettings,
  type KeyValues,
  valuesOf,
} from "./key-form.ts";

export type KeyForm = ReturnType<typeof useForm<KeyValues>>;

/** The form of a key that is `key` now; `save` gets what is to be asked for, and `refresh` shows what came of it. */
export function useKeyForm(
  key: KeySettings,
  save: (form: KeyBody) => Promise<unknown>,
  refresh: readonly string[],
): KeyForm {
  const { t } = useSpeech();
  const timeZone = useTimeZone();
  const sent = useRef<KeyBody>({});
  return useForm<KeyValues>({
    initial: valuesOf(key, timeZone),
    check: (values) => checkKey(values, t),
    fieldOf: (param) => fieldOf(param, sent.current),
    submit: async (values) => {
      const form = bodyOf(values, key, timeZone);
      sent.current = form;
      await save(form);
    },
    refresh,
  });
}
