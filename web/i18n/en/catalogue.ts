import { auth } from "./auth.ts";
import { errors } from "./errors.ts";
import { keys } from "./keys.ts";
import { models } from "./models.ts";
import { nav } from "./nav.ts";
import { overview } from "./overview.ts";
import { playground } from "./playground.ts";
import { requests } from "./requests.ts";
import { team } from "./team.ts";
import { usage } from "./usage.ts";
import { wallet } from "./wallet.ts";
import { words } from "./words.ts";

export const en = {
  words,
  errors,
  nav,
  auth,
  keys,
  requests,
  overview,
  usage,
  wallet,
  models,
  playground,
  team,
} as const;
