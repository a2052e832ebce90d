import { SendHorizontal, Square } from "lucide-react";
import type { FormEvent, KeyboardEvent } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field.tsx";

interface ComposerProps {
  readonly running: boolean;
  /** False until it is known which models there are: whoever is faster is not told that there is none. */
  readonly ready: boolean;
  /** Which model it goes to, as its name is shown. */
  readonly model: string;
  readonly prompt: string;
  readonly onType: (prompt: string) => void;
  /** False when it could not be sent; then what was typed stays. */
  readonly onSend: (prompt: string) => boolean;
  readonly onStop: () => void;
}

export function Composer(props: ComposerProps) {
  const { running, ready, model, prompt, onType, onSend, onStop } = props;
  const { t } = useSpeech();
  const maySend = ready && !running && prompt.trim() !== "";
  const send = () => {
    if (maySend && onSend(prompt.trim())) onType("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also chooses a word of an input method, which must not send half a sentence.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-2 border-t border-line p-4">
      <Field label={t("playground.prompt")}>
        <TextArea
          rows={3}
          placeholder={t("playground.promptPlaceholder")}
          value={prompt}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 truncate text-[13px] text-muted">
          {model && t("playground.goesTo", { model })}
        </p>
        {running ? (
          <Button onClick={onStop}>
            <Square size={14} />
            {t("playground.stop")}
          </Button>
        ) : (
          <Button kind="primary" type="submit" disabled={!maySend}>
            <SendHorizontal size={15} />
            {t("playground.send")}
          </Button>
        )}
      </div>
    </form>
  );
}
