import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import type { Model } from "../../../src/console/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatDay, formatNumber } from "../../lib/format.ts";
import { Link } from "../../lib/link.tsx";
import { useSession } from "../../lib/session.tsx";
import { Badge, Notice } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Code, CodeBlock } from "../../ui/code.tsx";
import { type Closes, Drawer } from "../../ui/dialogs/dialog.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { PriceTable } from "./price-table.tsx";
import { snippetsOf } from "./snippets.ts";

export function ModelDrawer({ model, onClose }: Closes & { readonly model: Model }) {
  return (
    <Drawer
      onClose={onClose}
      title={model.display_name}
      description={<Code>{model.id}</Code>}
      footer={<TryLink model={model} />}
    >
      <div className="flex flex-col gap-6">
        <Ending model={model} />
        <Facts model={model} />
        <PriceTable model={model} />
        <Snippets model={model} />
      </div>
    </Drawer>
  );
}

function TryLink({ model }: { readonly model: Model }) {
  const { t } = useSpeech();
  // The playground talks; a model that only reads has nothing to say there.
  if (model.max_output === 0) return null;
  return (
    <Link to="/playground" search={{ model: model.id }} className={buttonClass("primary")}>
      <FlaskConical size={15} />
      {t("models.tryIt")}
    </Link>
  );
}

function Ending({ model }: { readonly model: Model }) {
  const { t, locale } = useSpeech();
  const { deprecates_on: day, replacement } = model;
  if (!day && !replacement) return null;
  return (
    <Notice tone={day ? "warn" : "neutral"}>
      {day && t("models.endsHint", { day: formatDay(day, locale) })}{" "}
      {replacement && t("models.replacement", { model: replacement })}
    </Notice>
  );
}

function Facts({ model }: { readonly model: Model }) {
  const { t, locale } = useSpeech();
  const tokens = (count: number) => t("models.tokens", { count: formatNumber(count, locale) });
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t("models.vendor"), model.owned_by],
    [t("models.context"), tokens(model.context)],
    [t("models.maxOutput"), model.max_output === 0 ? "–" : tokens(model.max_output)],
    [
      t("models.modalities"),
      model.modalities.input.map((name) => t(`models.modality_${name}`)).join(", "),
    ],
    [
      t("models.released"),
      model.released_at ? <Time key="released" at={model.released_at} as="day" /> : "–",
    ],
  ];
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-[13px] text-muted">{label}</dt>
            <dd className="mt-0.5 break-words tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Chips label={t("models.capabilities")}>
        {model.capabilities.map((name) => (
          <Badge key={name}>{t(`models.cap_${name}`)}</Badge>
        ))}
      </Chips>
      <Chips label={t("models.endpoints")}>
        {model.endpoints.map((name) => (
          <Badge key={name}>
            <span className="font-mono">{t(`models.endpoint_${name}`)}</span>
          </Badge>
        ))}
      </Chips>
    </div>
  );
}

function Chips({ label, children }: { label: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <p className="mb-1 text-[13px] text-muted">{label}</p>
      <div className="flex flex-wrap gap-1">{children}</div>
    </div>
  );
}

function Snippets({ model }: { readonly model: Model }) {
  const { t } = useSpeech();
  const { me } = useSession();
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">{t("models.snippet")}</h3>
      <Tabs
        label={t("models.snippet")}
        tabs={snippetsOf(model, me.public_url).map(({ id, label, text }) => ({
          value: id,
          label,
          content: <CodeBlock label={label}>{text}</CodeBlock>,
        }))}
      />
      <p className="mt-2 text-[13px] text-muted">{t("models.snippetHint")}</p>
    </section>
  );
}
