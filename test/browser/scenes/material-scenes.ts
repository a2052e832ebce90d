import type { Page } from "playwright-core";
import { EMPTY_BOX_FIXTURES, NO_PUBLIC_ACCOUNT_FIXTURES } from "../../../web/fixtures/material.ts";
import { dialogOf, type Scene } from "./scene.ts";

const draft = (letter: string) =>
  `draft=${letter}7Ifp6ogGOmtr3u-l6KIJfD6AX2foQ7Ktp4flZtYJbtO2H-Tmfg4xO0sl9mh9B`;

/** One answer leads to the next question here, so the last of them is waited for. */
const framed = (page: Page) => page.locator("main iframe").waitFor();
const listed = (page: Page) => page.locator("main li").first().waitFor();

/** The material page of the platform: outside of the console, with its words and looks. */
export const MATERIAL_SCENES: readonly Scene[] = [
  {
    name: "material",
    path: "/platform/material",
    looks: ({ width }) => width === "desktop",
    act: framed,
    says: ({ material }) => [
      material.title,
      material.quotas,
      material.massSend,
      material.side_differences,
      material.previewStored,
      "wx4f1c9a07be25d863",
      "<script>alert(document.cookie)</script>",
    ],
  },
  {
    name: "material-list",
    path: "/platform/material",
    looks: ({ width }) => width === "phone",
    act: listed,
    says: ({ material }) => [material.title, "How a prepaid gateway counts tokens"],
  },
  {
    name: "material-draft",
    path: `/platform/material?${draft("S")}`,
    act: framed,
    says: ({ material }) => [material.articles, material.fate_filled, material.publish],
  },
  {
    name: "material-submitted",
    path: `/platform/material?side=submitted&${draft("R")}`,
    act: framed,
    says: ({ material }) => [material.previewSubmitted, "reward_money"],
    aside: true,
  },
  {
    name: "material-publish",
    path: `/platform/material?${draft("R")}`,
    act: async (page) => {
      await page.locator("button:has(.lucide-send)").click();
      await dialogOf(page);
    },
    says: ({ material }) => [material.publishTitle, "秋天的第一杯奶茶"],
    aside: true,
  },
  {
    name: "material-published",
    path: "/platform/material?view=published",
    act: listed,
    says: ({ material }) => [material.published, "Hello from the sandbox"],
  },
  {
    name: "material-reader",
    path: `/platform/material?account=wx0000c3d4e5f60718&${draft("U")}`,
    // A phone shows the draft without the facts of its account.
    looks: ({ width }) => width === "desktop",
    act: framed,
    says: ({ material }) => [material.readOnly, material.notVerified, material.frozen],
    aside: true,
  },
  {
    name: "material-empty",
    path: "/platform/material",
    fixtures: EMPTY_BOX_FIXTURES,
    says: ({ material }) => [material.noDrafts, "/platform/cgi-bin/draft/add"],
    aside: true,
  },
  {
    name: "material-nothing",
    path: "/platform/material",
    fixtures: NO_PUBLIC_ACCOUNT_FIXTURES,
    says: ({ material }) => [material.noAccounts, material.noAccountsHint],
    aside: true,
  },
];
