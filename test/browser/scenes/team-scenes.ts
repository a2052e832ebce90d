// People: the team of an account, and one's own settings.
import { dialogOf, type Scene, submitDialog } from "./scene.ts";

export const TEAM_SCENES: readonly Scene[] = [
  {
    name: "team",
    path: "/team",
    says: ({ team }) => [team.title, team.invitations, team.you, "ada@example.com"],
  },
  {
    name: "team-invite",
    path: "/team?invite=1",
    act: dialogOf,
    says: ({ team }) => [team.inviteTitle, team.roleHint_member],
  },
  {
    name: "team-link",
    path: "/team",
    act: async (page) => {
      // Named by whom it is for: the card is not there before its rows, and another would be the last.
      const invited = page.locator("tbody tr", { hasText: "katherine@example.com" });
      await invited.getByRole("button").first().click();
      await page.getByRole("dialog").locator("output").waitFor();
    },
    says: ({ team }) => [team.copyLink, "#iv7Kq2"],
    aside: true,
  },
  {
    name: "settings",
    path: "/settings",
    says: ({ settings }) => [settings.title, settings.display, settings.timeZoneHint],
  },
  {
    name: "settings-security",
    path: "/settings?tab=security",
    says: ({ settings }) => [settings.twoFactor, settings.passkeys, settings.sessions],
  },
  {
    name: "settings-totp",
    path: "/settings?tab=security",
    act: async (page) => {
      await page.locator("main section").nth(1).getByRole("button").first().click();
      await page.getByRole("dialog").locator("input").fill("a good password");
      await submitDialog(page);
      await page.getByRole("dialog").locator("svg[role=img]").waitFor();
    },
    says: ({ settings }) => [settings.scanTitle, settings.secretLabel, settings.verify],
  },
  {
    name: "settings-stale",
    path: "/settings?tab=security",
    fixtures: {
      "GET /api/auth/list-sessions": () =>
        Response.json({ code: "SESSION_NOT_FRESH", message: "Sign in again." }, { status: 403 }),
      "GET /api/auth/passkey/list-user-passkeys": () => [],
    },
    says: ({ settings }) => [settings.notFresh, settings.signInAgain],
    aside: true,
  },
];
