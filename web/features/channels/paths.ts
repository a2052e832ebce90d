export const CHANNELS_PATH = "/api/operator/channels";
