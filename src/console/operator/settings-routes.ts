import { changesBetween } from "../../accounts/audit-changes.ts";
import type { Guards } from "../../accounts/guards.ts";
import { priceChanges } from "../../catalogue/price-list.ts";
import { readJson } from "../../lib/json/json-body.ts";
import type { Route } from "../../lib/route.ts";
import { modelWords } from "./installation.ts";
import type { OperatorServices } from "./services.ts";
import { SETTINGS_FORM, settingsToWire, settingTexts } from "./settings.ts";

export function settingsRoutes(services: OperatorServices, guards: Guards): readonly Route[] {
  const { installation, catalogue, clock, store, audit } = services;
  /** What another markup does to the prices of this moment. */
  const preview = (markupPercent: string | undefined) => {
    const words = modelWords(installation.snapshot);
    const next = installation.catalogueOf(words, markupPercent, () => {});
    return priceChanges(catalogue, next, clock());
  };
  return [
    guards.operator("GET", "/api/operator/settings", async () =>
      Response.json(settingsToWire(installation.current())),
    ),
    guards.money.operator("PUT", "/api/operator/settings", async ({ incoming, principal }) => {
      const form = await readJson(incoming.request, SETTINGS_FORM);
      if (incoming.url.searchParams.get("preview") === "true") {
        const percent = form.markup_percent ?? installation.defaults.markupPercent;
        const data = form.markup_percent === undefined ? [] : preview(percent);
        return Response.json({ object: "price_preview", data });
      }
      const before = settingsToWire(installation.current());
      await store.setSettings(settingTexts(form));
      await installation.reload();
      const after = settingsToWire(installation.current());
      const note = { principal, accountId: null, action: "settings.change", target: "settings" };
      await audit.write({ ...note, detail: form, changes: changesBetween(before, after) });
      return Response.json(after);
    }),
  ];
}
