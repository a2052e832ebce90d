import { shownUsd } from "./amounts.ts";
import type { Phrases } from "./words.ts";

const PERIODS = { total: "总", day: "每日", week: "每周", month: "每月" } as const;

export const CHINESE: Phrases = {
  low_balance: ({ balance, threshold }) => ({
    subject: `余额不足：${shownUsd(balance)}`,
    paragraphs: [
      balance < 0n
        ? `您的预付余额为 ${shownUsd(balance)}：使用了透支额度，或有付款被撤回。充值超过这一数额之前，对收费模型的请求将被拒绝。`
        : balance === 0n
          ? "您的预付余额已用完。充值之前，对收费模型的请求将被拒绝。"
          : `您的预付余额为 ${shownUsd(balance)}，已低于您设置的提醒额度 ${shownUsd(threshold)}。余额用完后，对收费模型的请求将被拒绝。`,
    ],
    action: "去充值",
  }),
  budget: ({ percent, budget }, moment) => ({
    subject: `密钥「${budget.keyName}」已用去${PERIODS[budget.period]}预算的 ${percent}%`,
    paragraphs: [
      `密钥「${budget.keyName}」已花费 ${shownUsd(budget.used)}，${PERIODS[budget.period]}预算为 ${shownUsd(budget.max)}。`,
      percent === 100
        ? "花费超出预算后，使用该密钥的请求将被拒绝。"
        : "预算用完后，使用该密钥的请求将被拒绝。",
      budget.resetsAtMs === null
        ? "此预算不会自动重置。"
        : `预算将于 ${moment(budget.resetsAtMs)} 重置。`,
    ],
    action: "查看密钥",
  }),
  spend_spike: ({ spent, usual }) => ({
    subject: `消费异常：本小时已花费 ${shownUsd(spent)}`,
    paragraphs: [
      `本小时开始以来，您的账户已花费 ${shownUsd(spent)}。最近 7 天里，有消费的小时平均花费 ${shownUsd(usual)}。`,
      "如果这不在您的预料之中，请查看是哪个密钥并将其停用，停用在下一次请求时即生效。",
    ],
    action: "查看用量",
  }),
  model_deprecation: ({ end }) => ({
    subject: `${end.model} 将于 ${end.on} 停用`,
    paragraphs: [
      `您的账户正在使用 ${end.model}。${end.on} 之后，供应商可能停止提供该模型，届时请求会失败。`,
      end.replacement === undefined
        ? "供应商没有指定替代模型。"
        : `供应商指定的替代模型是 ${end.replacement}。`,
    ],
    action: "查看模型",
  }),
  vendor_down: ({ channel, burst }) => ({
    subject:
      channel.reason === "quota"
        ? `渠道「${channel.name}」的额度已用尽`
        : `渠道「${channel.name}」不可用`,
    paragraphs: [
      channel.state === "refused"
        ? `${channel.vendor} 拒绝了渠道「${channel.name}」的全部密钥。在密钥恢复有效（系统会定期检查）或被更换之前，不会再有请求发往该渠道。`
        : channel.reason === "quota"
          ? `渠道「${channel.name}」的密钥在 ${channel.vendor} 处已全部没有额度，不会再有请求发往该渠道。请在供应商处充值或添加密钥，然后在渠道中点击「立即重试」。`
          : channel.state === "cooled" && channel.reason !== "rate"
            ? `经由渠道「${channel.name}」发往 ${channel.vendor} 的请求失败过多，该渠道已暂停，稍后会自动重试。`
            : `自上次检查以来，经由渠道「${channel.name}」发往 ${channel.vendor} 的 ${burst?.attempts ?? 0} 次调用中有 ${burst?.failures ?? 0} 次失败。`,
      channel.message === undefined
        ? "供应商没有说明原因。"
        : `供应商最近返回的信息：${channel.message}`,
    ],
    action: "查看渠道",
  }),
  input_loss: ({ loss }) => ({
    subject: `${loss.of === "channel" ? "渠道" : "账户"}「${loss.name}」今日输入损失 ${shownUsd(loss.amount)}`,
    paragraphs: [
      loss.of === "channel"
        ? `${loss.day}（UTC），渠道「${loss.name}」的供应商计入的输入多于请求可能包含的输入。差额不向客户收费，目前为 ${shownUsd(loss.amount)}。`
        : `${loss.day}（UTC），供应商为账户「${loss.name}」计入的输入多于其请求可能包含的输入。差额不向该账户收费，目前为 ${shownUsd(loss.amount)}。`,
      loss.of === "channel"
        ? "请查看相关计费明细并联系供应商。该渠道会继续提供服务。"
        : "在当天剩余时间内，该账户的请求按模型的上下文长度冻结，并可能按此收费。",
    ],
    action: "查看输入损失",
  }),
  auto_topup_failed: ({ amount, reason, off }) => ({
    subject: off ? "自动充值已关闭" : "自动充值失败",
    paragraphs: [
      `本应从您的银行卡扣款 ${shownUsd(amount)}，但未成功。原因：${reason}`,
      off
        ? "连续失败次数过多，不再尝试扣款。重新开启自动充值即可更换银行卡。"
        : "若余额仍然偏低，一小时后会再次尝试。",
    ],
    action: "查看钱包",
  }),
  payment_disputed: ({ amount, taken }) => ({
    subject: `一笔 ${shownUsd(amount)} 的付款被提出争议`,
    paragraphs: [
      `付款人的银行要求退回 ${shownUsd(amount)}。其中余额里剩余的 ${shownUsd(taken)} 已被扣除，自动充值已关闭。`,
      "如果争议的结果对我们有利，扣除的金额会退回余额。",
    ],
    action: "查看钱包",
  }),
  webhook_disabled: ({ url, error, mailed }) => ({
    subject: "您的提醒 Webhook 已被停用",
    paragraphs: [
      `对 ${url} 的调用连续失败次数过多，已停止调用。`,
      mailed
        ? "邮件提醒不受影响。"
        : "邮件提醒也已关闭，在重新开启其中之一之前，此账户不会收到任何提醒。",
      `最近一次错误：${error}`,
    ],
    action: "修复后重新启用",
  }),
  test: () => ({
    subject: "提醒测试",
    paragraphs: ["提醒邮件就是这个样子。您能看到它，说明提醒可以送达。"],
    action: "查看提醒设置",
  }),
};
