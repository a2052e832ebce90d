import { Field, Input } from "../field.tsx";

interface DayFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

/** One end of the days that a list is of. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <Field label={label} className="min-w-0 flex-1 basis-36 sm:max-w-44">
      <Input
        type="date"
        value={value ?? ""}
        onValueChange={(day: string) => onChange(day || undefined)}
      />
    </Field>
  );
}
