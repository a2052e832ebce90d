import type { errors as source } from "../en/errors.ts";
import type { Translation } from "../messages.ts";

export const errors: Translation<typeof source> = {
  offline: "连接不上服务器，请检查网络后重试。",
  internal: "服务器出了点问题，请稍后重试。",
  unavailable: "服务繁忙或数据库暂不可用，请稍后重试。",
  permission: "你在该账户中的角色无权执行此操作。",
  notFound: "内容不存在，或属于其他账户。",
  tooOften: "尝试过于频繁，请等一分钟再试。",
  badSignIn: "邮箱或密码不正确。",
  badEmail: "请输入有效的邮箱地址。",
  badPassword: "密码不正确。",
  badLink: "链接已失效，请重新获取。",
  badCode: "验证码不正确或已过期。",
  twoFactorExpired: "登录超时，请重新输入密码。",
  passwordShort: "密码至少需要 8 个字符。",
  passwordLong: "密码不能超过 128 个字符。",
  emailTaken: "该邮箱已注册，请直接登录。",
  required: "请填写此项。",
  amount: "请输入美元金额，例如 25 或 0.50。",
  wholeNumber: "请输入大于 0 的整数。",
  notLoaded: "加载失败",
  pageBroke: "页面出错了",
  pageMissing: "页面不存在",
  pageMissingHint: "地址可能有误，或页面已被移动。",
  goHome: "返回概览",
};
