import { type FocusEvent, type ReactNode, useMemo, useState } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { isZone, zoneLabel, zoneMeant, zoneNames } from "../lib/time/time-zones.ts";
import { Field } from "./field.tsx";
import { SuggestedInput } from "./suggested-input.tsx";

/** A choice that is none of the zones. */
interface OtherChoice {
  readonly value: string;
  readonly label: string;
}

interface ZoneFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly className?: string;
  readonly value: string;
  readonly other?: OtherChoice;
  /** Gets the name of a zone. It gets another text as it was typed, which nothing may be saved with. */
  readonly onChange: (zone: string) => void;
}

/** A time zone, found by a part of its name among the hundreds that there are. */
export function ZoneField({ value, other, onChange, error, ...field }: ZoneFieldProps) {
  const { t } = useSpeech();
  const [typed, setTyped] = useState<string>();
  const [unknown, setUnknown] = useState(false);
  const [first] = useState(value);
  const names = useMemo(
    () => zoneNames(Intl.supportedValuesOf("timeZone"), first === other?.value ? null : first),
    [first, other?.value],
  );
  const choices = useMemo(() => {
    const zones = names.map((name) => ({ value: zoneLabel(name) }));
    return other ? [{ value: other.label }, ...zones] : zones;
  }, [names, other]);
  const labelOf = (zone: string) => (zone === other?.value ? other.label : zoneLabel(zone));
  // An empty field stands for no change.
  const kept = value === other?.value || isZone(value) ? value : first;
  const choose = (text: string) => {
    const isEmpty = text.trim() === "";
    const meant = text === other?.label ? other.value : zoneMeant(names, text);
    setUnknown(meant === undefined && !isEmpty);
    if (meant !== undefined || isEmpty) setTyped(undefined);
    const next = isEmpty ? kept : (meant ?? text.trim());
    if (next !== value) onChange(next);
  };
  return (
    <Field {...field} error={unknown ? t("errors.zone") : error}>
      <SuggestedInput
        maxLength={100}
        placeholder={t("words.zoneSearch")}
        value={typed ?? labelOf(value)}
        suggestions={choices}
        onFocus={(event: FocusEvent<HTMLInputElement>) => event.currentTarget.select()}
        onType={(text) => {
          setTyped(text);
          setUnknown(false);
        }}
        onDone={choose}
      />
    </Field>
  );
}
