export const BATCHES = "/api/operator/codes/batches";
