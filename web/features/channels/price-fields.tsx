import { useSpeech } from "../../i18n/language.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { Field, Input } from "../../ui/field.tsx";
import type { ChannelFieldsProps } from "./channel-fields.tsx";
import { EMPTY_PRICE, type PriceValues } from "./new-models.ts";

interface PriceFieldsProps extends ChannelFieldsProps {
  /** The models that the form names and nothing prices. */
  readonly unpriced: readonly string[];
}

/** What models cost that nobody has priced: asked here, since without a price nothing is served. */
export function PriceFields({ form, unpriced }: PriceFieldsProps) {
  const { t } = useSpeech();
  if (unpriced.length === 0) return null;
  return (
    <section className="flex flex-col gap-4">
      <div>
        <h3 className="text-sm font-semibold">{t("channels.pricesTitle")}</h3>
        <p className="text-[13px] text-muted">{t("channels.pricesHint")}</p>
      </div>
      <FormProblem words={form.errors.prices} />
      {unpriced.map((id) => (
        <ModelPrice key={id} form={form} id={id} />
      ))}
    </section>
  );
}

function ModelPrice({ form, id }: ChannelFieldsProps & { readonly id: string }) {
  const { t } = useSpeech();
  const { prices } = form.values;
  const price = prices[id] ?? EMPTY_PRICE;
  const field = (name: keyof PriceValues, control: object) => (
    <Field label={t(`channels.price_${name}`)}>
      <Input
        {...control}
        value={price[name]}
        onValueChange={(value) =>
          form.set("prices", { ...prices, [id]: { ...price, [name]: value } })
        }
      />
    </Field>
  );
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-mono text-[13px] font-medium break-all">{id}</legend>
      <div className="grid grid-cols-2 items-start gap-3">
        {field("input", { money: true })}
        {field("output", { money: true })}
        {field("context", { inputMode: "numeric", placeholder: "128000" })}
        {field("max_output", { inputMode: "numeric", placeholder: "8192" })}
      </div>
    </fieldset>
  );
}
