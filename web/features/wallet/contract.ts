import type { Decimal } from "../../lib/contract.ts";

