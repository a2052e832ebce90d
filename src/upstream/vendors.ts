/** A vendor is data: where it is, how it is paid for access, and how it behaves. */
export interface Vendor {
  readonly id: string;
  readonly baseUrl: string;
  /** Environment variables of the credential and of another address. */
  readonly keyVariable: string;
  readonly baseUrlVariable: string;
  /** Whether the vendor stops (and stops billing) when we hang up. */
  readonly onDisconnect: "abort" | "drain";
}

export const VENDORS: readonly Vendor[] = [
  {
    id: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    baseUrlVariable: "OPENAI_BASE_URL",
    onDisconnect: "abort",
  },
];
