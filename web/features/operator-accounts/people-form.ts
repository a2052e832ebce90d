import type { Role } from "../../../src/accounts/contract/members.ts";
import { isMailAddress } from "../../lib/checks.ts";

export interface PersonForm {
  readonly email: string;
  readonly role: Role;
}

/** Whom to invite: a line that was left empty is nobody, and nobody is asked twice. */
export function enteredPeople(people: readonly PersonForm[]): readonly PersonForm[] {
  const entered = new Map<string, PersonForm>();
  for (const { email, role } of people) {
    const address = email.trim();
    const name = address.toLowerCase();
    if (address !== "" && !entered.has(name)) entered.set(name, { email: address, role });
  }
  return [...entered.values()];
}

/** The places of what is no address. */
export function badPeople(people: readonly PersonForm[]): readonly number[] {
  return people.flatMap(({ email }, place) => {
    const address = email.trim();
    return address === "" || isMailAddress(address) ? [] : [place];
  });
}
