export const SIGNUP_MODES = ["invite", "open", "closed"] as const;

export const TOKENS = "/api/operator/tokens";
