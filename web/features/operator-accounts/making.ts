import type { NewInvitation } from "../../../src/accounts/contract/invitations.ts";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { api, isMissing } from "../../lib/api.ts";
import { changed } from "../../lib/forms/changed.ts";
import { overdraftOf } from "./account-form.ts";
import { ACCOUNTS } from "./paths.ts";
import { enteredPeople, type PersonForm } from "./people-form.ts";

export interface Made {
  readonly account: OperatorAccount;
  readonly invitations: readonly NewInvitation[];
}

export interface AccountForm {
  readonly name: string;
  readonly hard: boolean;
  /** In dollars, as it was typed. */
  readonly overdraft: string;
  readonly people: readonly PersonForm[];
}

const pathOf = ({ id }: OperatorAccount) => `/api/accounts/${id}/invitations`;

function isOf({ email, role }: NewInvitation, person: PersonForm): boolean {
  return email === person.email.toLowerCase() && role === person.role;
}

/**
 * Makes what is not made yet: after a refusal halfway, trying again goes on from there. What was corrected meanwhile is
 * corrected in what is made: an invitation that the form no longer has is withdrawn.
 */
export class Making {
  #made: Made | undefined;

  async make({ people, ...form }: AccountForm): Promise<Made> {
    const entered = enteredPeople(people);
    const account = await this.#account({
      ...form,
      name: form.name.trim(),
      overdraft: overdraftOf(form),
    });
    for (const invitation of this.#invitations) {
      if (!entered.some((person) => isOf(invitation, person)))
        await this.#withdraw(account, invitation);
    }
    for (const person of entered) {
      if (!this.#invitations.some((invitation) => isOf(invitation, person)))
        await this.#invite(account, person);
    }
    return { account, invitations: this.#invitations };
  }

  get #invitations(): readonly NewInvitation[] {
    return this.#made?.invitations ?? [];
  }

  async #account(form: Omit<AccountForm, "people">): Promise<OperatorAccount> {
    const account = await this.#madeAs(form);
    this.#made = { account, invitations: this.#invitations };
    return account;
  }

  async #madeAs(form: Omit<AccountForm, "people">): Promise<OperatorAccount> {
    const before = this.#made?.account;
    if (!before) return api.post<OperatorAccount>(ACCOUNTS, form);
    const { name, hard, overdraft } = before;
    const changes = changed(form, { name, hard, overdraft });
    if (Object.keys(changes).length === 0) return before;
    return api.patch<OperatorAccount>(`${ACCOUNTS}/${before.id}`, changes);
  }

  async #withdraw(account: OperatorAccount, invitation: NewInvitation): Promise<void> {
    await api.delete(`${pathOf(account)}/${invitation.id}`).catch((thrown: unknown) => {
      // Somebody else has withdrawn it, or it was taken up: neither can be undone here.
      if (!isMissing(thrown)) throw thrown;
    });
    this.#made = { account, invitations: this.#invitations.filter((one) => one !== invitation) };
  }

  async #invite(account: OperatorAccount, person: PersonForm): Promise<void> {
    const invitation = await api.post<NewInvitation>(pathOf(account), person);
    this.#made = { account, invitations: [...this.#invitations, invitation] };
  }
}
