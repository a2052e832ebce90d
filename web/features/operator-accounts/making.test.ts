import { expect, spyOn, test } from "bun:test";
import { type AccountForm, Making } from "./making.ts";

const REFUSED = "full@example.com";
const OWNER = { email: "Ann@example.com", role: "owner" } as const;
const MISTYPED = { email: "bbo@example.com", role: "member" } as const;
const FORM: AccountForm = {
  ...{ name: "Engines", hard: false, overdraft: "0.0" },
  people: [OWNER, MISTYPED, { email: REFUSED, role: "viewer" }],
};

/** A server that invites everybody but one, and notes what it is asked. */
function server() {
  const asked: unknown[] = [];
  const answer = async (path: string, { method, body }: RequestInit) => {
    const said = body === undefined ? {} : JSON.parse(String(body));
    asked.push([method, path, said]);
    if (said.email === REFUSED) return Response.json({ error: { code: "no" } }, { status: 400 });
    const email = said.email?.toLowerCase();
    const id = path.endsWith("invitations") ? `inv_${email}_${said.role}` : "acct_1";
    return Response.json({ id, ...FORM, ...said, email });
  };
  const fetched = spyOn(globalThis, "fetch").mockImplementation(answer as never);
  return {
    /** What it was asked since. */
    heard: () => asked.splice(0),
    [Symbol.dispose]: () => fetched.mockRestore(),
  };
}

const HOME = "/api/operator/accounts/acct_1";
const INVITATIONS = "/api/accounts/acct_1/invitations";

async function halfMade() {
  const making = new Making();
  await expect(making.make(FORM)).rejects.toMatchObject({ status: 400 });
  return making;
}

test("what is corrected after a refusal halfway is corrected in what is made", async () => {
  using house = server();
  const making = await halfMade();
  expect(house.heard()).toHaveLength(4);
  const viewer = { ...OWNER, role: "viewer" } as const;
  const bob = { email: "bob@example.com", role: "member" } as const;
  const made = await making.make({
    ...{ name: "Engines ", hard: true, overdraft: "2.50" },
    people: [viewer, bob],
  });
  expect(house.heard()).toEqual([
    ["PATCH", HOME, { hard: true, overdraft: "2.5" }],
    ["DELETE", `${INVITATIONS}/inv_ann@example.com_owner`, {}],
    ["DELETE", `${INVITATIONS}/inv_bbo@example.com_member`, {}],
    ["POST", INVITATIONS, viewer],
    ["POST", INVITATIONS, bob],
  ]);
  expect(made.account.hard).toBe(true);
  expect(made.invitations.map(({ email, role }) => [email, role])).toEqual([
    ["ann@example.com", "viewer"],
    ["bob@example.com", "member"],
  ]);
});

test("what stays as it was is not made twice", async () => {
  using house = server();
  const making = await halfMade();
  house.heard();
  const { invitations } = await making.make({ ...FORM, people: [OWNER, MISTYPED] });
  expect(house.heard()).toEqual([]);
  expect(invitations).toHaveLength(2);
});
