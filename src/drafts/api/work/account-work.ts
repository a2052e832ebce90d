// What is done with public accounts, in the console and with a key.
import { shownList } from "../../../lib/listing.ts";
import type { Incoming } from "../../../lib/route.ts";
import type { NewPublicAccount, PublicAccountChange } from "../../contract/public-account-form.ts";
import type { PublicAccount } from "../../draft.ts";
import type { DraftService } from "../../draft-service.ts";
import { showDeleted } from "../show.ts";

interface Call {
  readonly accountId: string;
  readonly incoming: Incoming;
}

interface Door<Caller, Shown> {
  readonly draftService: DraftService;
  show(account: PublicAccount): Shown;
  /** Writes to the audit log what was done by whom, and to which members. */
  note(call: Caller, action: string, target: string, fields: readonly string[]): Promise<void>;
}

/** Which members of a form were set, for the audit log; never their values. */
function setFields(form: object): readonly string[] {
  return Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** One is named by its id; with a key, also by its name. */
export function accountWork<Caller extends Call, Shown>(door: Door<Caller, Shown>) {
  const { show } = door;
  const { publicAccounts } = door.draftService;
  const find = ({ accountId, incoming }: Call) =>
    publicAccounts.find(accountId, incoming.params.id ?? "");
  const note = (call: Caller, action: string, target: string, form: object = {}) =>
    door.note(call, action, target, setFields(form));
  return {
    ...{ find, note },
    list: async ({ accountId }: Call) =>
      shownList((await publicAccounts.list(accountId)).map((account) => show(account))),
    show: async (call: Call) => show(await find(call)),
    async add(call: Caller & { body(): Promise<NewPublicAccount> }) {
      const form = await call.body();
      const account = await publicAccounts.add(call.accountId, form);
      await note(call, "public_account.create", account.id, form);
      return show(account);
    },
    async change(call: Caller & { body(): Promise<PublicAccountChange> }) {
      const change = await call.body();
      const { id } = await find(call);
      const account = await publicAccounts.change(call.accountId, id, change);
      await note(call, "public_account.change", id, change);
      return show(account);
    },
    async remove(call: Caller) {
      const { id } = await find(call);
      await publicAccounts.remove(call.accountId, id);
      await note(call, "public_account.delete", id);
      return showDeleted("public_account", id);
    },
  };
}
