import type { ReactNode } from "react";
import { Switch } from "../../ui/switch.tsx";

interface SettingRowProps {
  readonly label: string;
  readonly hint: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Below the words: what belongs to the setting. */
  readonly children?: ReactNode;
}

/** A switch with its words at the left. */
export function SettingRow(props: SettingRowProps) {
  const { label, hint, checked, disabled = false, onChange, children } = props;
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium">{label}</p>
        <p className="text-[13px] text-muted">{hint}</p>
        {children && <div className="mt-2.5">{children}</div>}
      </div>
      <Switch checked={checked} disabled={disabled} label={label} onChange={onChange} />
    </div>
  );
}
