import type { Role } from "../../../src/accounts/contract/members.ts";
import { isMailAddress } from "../../lib/checks.ts";

export interface PersonWish {
  readonly email: string;
  readonly role: Role;
}

/** Whom to invite: a line that was left empty is nobody, and nobody is asked twice. */
export function wishedPeople(people: readonly PersonWish[]): readonly PersonWish[] {
  const wished = new Map<string, PersonWish>();
  for (const { email, role } of people) {
    const address = email.trim();
    const name = address.toLowerCase();
    if (address !== "" && !wished.has(name)) wished.set(name, { email: address, role });
  }
  return [...wished.values()];
}

/** The places of what is no address. */
export function badPeople(people: readonly PersonWish[]): readonly number[] {
  return people.flatMap(({ email }, place) => {
    const address = email.trim();
    return address === "" || isMailAddress(address) ? [] : [place];
  });
}
