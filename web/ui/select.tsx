import { Field as Base } from "@base-ui/react/field";
import { ChevronDown } from "lucide-react";
import { cx } from "./cx.ts";
import { CONTROL } from "./field.tsx";

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> {
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
  /** Needed where no Field gives it a label. */
  readonly label?: string;
  readonly disabled?: boolean;
  readonly className?: string;
}

/**
 * The browser's own select: phones draw it as people there know it, every key works, and it weighs
 * nothing, where one of our own would add a fifth to the first load of every page with a filter.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, choices, onChange, label, disabled = false, className } = props;
  return (
    <span className={cx("relative block", className)}>
      <Base.Control
        value={value}
        onValueChange={(next) => onChange(next as Value)}
        disabled={disabled}
        aria-label={label}
        className={cx(CONTROL, "appearance-none truncate pr-8")}
        render={
          <select>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        }
      />
      <ChevronDown
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto text-muted"
      />
    </span>
  );
}
