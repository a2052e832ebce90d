export const LEDGER_PATH = "/api/operator/ledger";
