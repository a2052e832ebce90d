import { Inbox } from "lucide-react";
import type { AccountState, ListedAccount } from "../../src/console/contract/material.ts";
import type { Page } from "../../src/lib/contract.ts";
import { DocumentBar } from "../app/document-bar.tsx";
import { useSpeech } from "../i18n/language.tsx";
import { useResource } from "../lib/queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Select } from "../ui/select.tsx";
import { PageSkeleton } from "../ui/skeleton.tsx";
import { AccountFacts } from "./account-facts.tsx";
import { useAddress } from "./address.ts";
import { MaterialViews } from "./material-views.tsx";
import { NotLoaded } from "./not-loaded.tsx";

const ACCOUNTS = "/api/platform/accounts";

/** The material management of the sandbox platform: a page by itself, beside the console. */
export function MaterialPage() {
  const { t } = useSpeech();
  const { data, error } = useResource<Page<ListedAccount>>(ACCOUNTS);
  return (
    <>
      <DocumentBar home="/console" toConsole={t("material.toConsole")} />
      {error && !data ? <NotLoaded error={error} /> : <Content accounts={data?.data} />}
    </>
  );
}

function Content({ accounts }: { readonly accounts: readonly ListedAccount[] | undefined }) {
  const { t } = useSpeech();
  const { at } = useAddress();
  const chosen = accounts?.find(({ appid }) => appid === at.account) ?? accounts?.[0];
  return (
    <main className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-8 sm:py-8">
      <PageHeader
        title={t("material.title")}
        description={t("material.description")}
        actions={chosen && <AccountChoice accounts={accounts ?? []} chosen={chosen} />}
      />
      {accounts === undefined && <PageSkeleton />}
      {accounts?.length === 0 && (
        <EmptyState
          icon={<Inbox size={28} />}
          title={t("material.noAccounts")}
          action={
            <a href="/console/drafts" className={buttonClass()}>
              {t("material.toDrafts")}
            </a>
          }
        >
          {t("material.noAccountsHint")}
        </EmptyState>
      )}
      {chosen && <Account key={chosen.appid} account={chosen} />}
    </main>
  );
}

interface AccountChoiceProps {
  readonly accounts: readonly ListedAccount[];
  readonly chosen: ListedAccount;
}

function AccountChoice({ accounts, chosen }: AccountChoiceProps) {
  const { t } = useSpeech();
  const { go } = useAddress();
  if (accounts.length < 2) return null;
  const choices = accounts.map(({ appid, name, owner }) => ({
    value: appid,
    label: owner === null ? name : t("material.accountNamed", { name, owner }),
  }));
  return (
    <Select
      className="w-64 max-w-full"
      label={t("material.account")}
      value={chosen.appid}
      choices={choices}
      onChange={(account) => go({ account, draft: undefined, article: undefined, side: undefined })}
    />
  );
}

function Account({ account }: { readonly account: ListedAccount }) {
  const { at } = useAddress();
  const path = `${ACCOUNTS}/${account.appid}`;
  const { data } = useResource<AccountState>(path);
  return (
    <div className="flex flex-col gap-5">
      {/* A phone has no room for them beside a draft. */}
      <div className={cx(at.draft !== undefined && "hidden lg:block")}>
        <AccountFacts account={account} state={data} />
      </div>
      <MaterialViews account={account} state={data} path={path} />
    </div>
  );
}
