// Without a mail server nothing that lets somebody in is in the log; the machine's owner types for it.
import { expect, test } from "bun:test";
import { typed } from "../cli/commands.ts";
import { Browser, bodyOf, newOperator } from "../support/browser.ts";
import { partsOfTest, perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";

const EMAIL = "op@example.com";
const parts = partsOfTest();
const { server, database } = await perFile((shared) =>
  serve(shared, { settings: { FAREGATE_LOG: "warn" } }),
);
const origin = server.url.replace(/\/v1$/, "");

const { port } = new URL(origin);

const tokenOf = (url: unknown) => String(url).split("#")[1] ?? "";

test("links lead to the port that the server has taken, and there are none to a server that is not there", async () => {
  for (const FAREGATE_PORT of ["0", "9"]) {
    const beside = await typed(["operator", "link"], { ...database.settings, FAREGATE_PORT });
    expect(beside.stdout).toContain(`  http://localhost:${port}/console/welcome#`);
  }
  const other = await serve(parts);
  await other.server.stop();
  const settings = { ...other.database.settings, FAREGATE_PORT: "0" };
  const alone = await typed(["operator", "link"], settings);
  expect(alone).toMatchObject({ code: 2, stdout: "" });
  expect(alone.stderr).toContain("no server runs");
  const fixed = await typed(["operator", "link"], { ...settings, FAREGATE_PORT: "8123" });
  expect(fixed.stdout).toContain("  http://localhost:8123/console/welcome#");
});

test("a forgotten password is set by a link of the command line, which the log names", async () => {
  const { url } = await server.command("operator", "link");
  await newOperator(origin, tokenOf(url), EMAIL);
  const visitor = new Browser(origin);
  await bodyOf(visitor.post("/api/auth/request-password-reset", { email: EMAIL }));
  const made = await server.command("operator", "reset", EMAIL);
  expect(made.url).toStartWith(`http://localhost:${port}/console/reset-password#`);
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
