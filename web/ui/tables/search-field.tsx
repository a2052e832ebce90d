import { useEffect, useRef, useState } from "react";
import { SEARCH_TARGET } from "../../app/shortcuts.ts";
import { Input } from "../field.tsx";

const TYPING_MS = 300;

interface SearchFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly mono?: boolean;
}

/** The search of a page. The list follows when the typing rests. */
export function SearchField({ label, value, onChange, mono = false }: SearchFieldProps) {
  const [typed, setTyped] = useState(value ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setTyped(value ?? "");
    sent.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = text.trim() || undefined;
      onChange(sent.current);
    }, TYPING_MS);
  };
  return (
    <Input
      {...SEARCH_TARGET}
      mono={mono}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onValueChange={change}
    />
  );
}
