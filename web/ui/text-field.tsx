import { Field, type FieldProps, Input, type InputProps } from "./field.tsx";

/** What a form holds as it was typed, from `useForm`. */
export interface TextForm<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  readonly errors: Partial<Record<Name, string>>;
  set(name: Name, value: string): void;
}

type TextFieldProps<Name extends string> = Omit<FieldProps, "error" | "children"> &
  Omit<InputProps, "form" | "name" | "value" | "onValueChange" | keyof FieldProps> & {
    readonly form: TextForm<NoInfer<Name>>;
    readonly name: Name;
  };

/** One value of a form in a line to type it in, with its label and what is wrong with it. */
export function TextField<Name extends string>(props: TextFieldProps<Name>) {
  const { form, name, label, hint, optional, className, ...input } = props;
  return (
    <Field {...{ label, hint, optional, className }} error={form.errors[name]}>
      <Input
        {...input}
        value={form.values[name]}
        onValueChange={(value) => form.set(name, value)}
      />
    </Field>
  );
}
