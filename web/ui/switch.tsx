import { Checkbox as BaseCheckbox } from "@base-ui/react/checkbox";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

interface ToggleProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

interface SwitchProps extends ToggleProps {
  /** Said by screen readers; a switch in a table has no words beside it. */
  readonly label: string;
}

export function Switch({ checked, onChange, disabled = false, label }: SwitchProps) {
  return (
    <BaseSwitch.Root
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      aria-label={label}
      className={
        "flex h-5 w-9 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors " +
        "data-checked:bg-accent data-disabled:opacity-55"
      }
    >
      <BaseSwitch.Thumb className="size-4 rounded-full bg-surface transition-transform data-checked:translate-x-4" />
    </BaseSwitch.Root>
  );
}

interface CheckboxProps extends ToggleProps {
  readonly label: string;
  readonly hint?: ReactNode;
}

export function Checkbox({ checked, onChange, disabled = false, label, hint }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside it is the control.
    <label className="flex items-start gap-2.5 text-sm">
      <BaseCheckbox.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className={
          "mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded border border-line-strong " +
          "bg-surface data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55"
        }
      >
        <BaseCheckbox.Indicator className="text-on-accent">
          <Check size={13} strokeWidth={3} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span>
        {label}
        {hint && <span className="block text-[13px] text-muted">{hint}</span>}
      </span>
    </label>
  );
}
