import { useId, useRef } from "react";
import { Input, type InputProps } from "./field.tsx";

interface Suggestion {
  readonly value: string;
  /** A second way to find it. */
  readonly label?: string;
}

interface SuggestedInputProps extends Omit<InputProps, "value" | "onValueChange" | "onBlur"> {
  /** The text in the field. */
  readonly value: string;
  readonly suggestions: readonly Suggestion[];
  readonly onType: (text: string) => void;
  /** Gets the text when it is a suggestion, at Enter, and when the visitor leaves the field after typing. */
  readonly onDone: (text: string) => void;
}

/** A search field with the browser's own list of suggestions, which works with every key and screen reader. */
export function SuggestedInput(props: SuggestedInputProps) {
  const { value, suggestions, onType, onDone, ...rest } = props;
  const list = useId();
  const isTyped = useRef(false);
  const finish = () => {
    if (!isTyped.current) return;
    isTyped.current = false;
    onDone(value);
  };
  return (
    <>
      <Input
        autoComplete="off"
        {...rest}
        list={list}
        value={value}
        onValueChange={(text) => {
          isTyped.current = true;
          onType(text);
          if (suggestions.some((suggestion) => suggestion.value === text)) onDone(text);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          finish();
        }}
        onBlur={finish}
      />
      <datalist id={list}>
        {suggestions.map((suggestion) => (
          <option key={suggestion.label ?? suggestion.value} {...suggestion} />
        ))}
      </datalist>
    </>
  );
}
