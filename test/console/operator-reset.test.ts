// Without a mail server nothing that lets somebody in is in the log; the machine's owner types for it.
import { expect, test } from "bun:test";
import { Browser, bodyOf, newOperator } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";

const EMAIL = "op@example.com";
const { server } = await perFile((parts) => serve(parts, { settings: { FAREGATE_LOG: "warn" } }));
const origin = server.url.replace(/\/v1$/, "");

const tokenOf = (url: unknown) => String(url).split("#")[1] ?? "";

test("a forgotten password is set by a link of the command line, which the log names", async () => {
  const { url } = await server.command("operator", "link");
  await newOperator(origin, tokenOf(url), EMAIL);
  const visitor = new Browser(origin);
  await bodyOf(visitor.post("/api/auth/request-password-reset", { email: EMAIL }));
  const made = await server.command("operator", "reset", EMAIL);
  expect(made.url).toContain("/console/reset-password#");
  const reset = { token: tokenOf(made.url), newPassword: "another good password" };
  await bodyOf(visitor.post("/api/auth/reset-password", reset));
  expect((await visitor.post("/api/auth/reset-password", reset)).status).toBe(400);
  expect((await visitor.signIn(EMAIL, "another good password")).status).toBe(200);

  expect(await server.stop()).toBe(0);
  const log = await server.errors;
  expect(log).toContain("mail_not_sent");
  expect(log).toContain(`faregate operator reset ${EMAIL}`);
  for (const secret of ["reset-password#", "token=", reset.token])
    expect(log).not.toContain(secret);
});
