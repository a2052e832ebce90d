import { expect, test } from "bun:test";
import { signFields } from "./epay.ts";

test("the signature is the digest of the sorted fields and the key behind them", () => {
  const text = "money=1.00&name=VIP&out_trade_no=20160806151343349&pid=1001&type=alipay" + "secret";
  const fields = {
    type: "alipay",
    pid: "1001",
    out_trade_no: "20160806151343349",
    name: "VIP",
    money: "1.00",
    param: "",
    sign: "something",
    sign_type: "MD5",
  };
  const digest = new Bun.CryptoHasher("md5").update(text).digest("hex");
  expect(signFields(fields, "secret")).toBe(digest);
});
