/** Calls of one account in one day, by what they count against. */
export const DAILY_QUOTAS = {
  token: 2_000,
  stable_token: 500_000,
  stable_token_force: 20,
  draft_add: 1_000,
  draft_get: 500,
  draft_delete: 1_000,
  draft_update: 1_000,
  draft_count: 1_000,
  draft_batchget: 1_000,
  publish_submit: 100,
  publish_get: 100,
  publish_delete: 10,
  publish_getarticle: 100,
  publish_batchget: 100,
  media_upload: 100_000,
  material_get: 1_000,
  material_batchget: 1_000,
  material_count: 5_000,
  material_delete: 1_000,
  mass_send: 100,
} as const;

export type QuotaName = keyof typeof DAILY_QUOTAS;
