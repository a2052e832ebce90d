import { shownUsd } from "./amounts.ts";
import type { Phrases } from "./words.ts";

const PERIODS = { total: "", day: "daily ", week: "weekly ", month: "monthly " } as const;

export const ENGLISH: Phrases = {
  low_balance: ({ balance, threshold }) => ({
    subject: `Your balance is low: ${shownUsd(balance)}`,
    paragraphs: [
      balance < 0n
        ? `Your prepaid balance is ${shownUsd(balance)}, because an overdraft was used or a payment was taken back. Requests to priced models are refused until you top up more than that.`
        : balance === 0n
          ? "Your prepaid balance is used up. Requests to priced models are refused until you top up."
          : `Your prepaid balance is ${shownUsd(balance)}, below the ${shownUsd(threshold)} at which you asked to be told. Once it is used up, requests to priced models are refused.`,
    ],
    action: "Top up",
  }),
  budget: ({ percent, budget }, moment) => ({
    subject: `Key "${budget.keyName}" has used ${percent} % of its ${PERIODS[budget.period]}budget`,
    paragraphs: [
      `The key "${budget.keyName}" has spent ${shownUsd(budget.used)} of its ${PERIODS[budget.period]}budget of ${shownUsd(budget.max)}.`,
      percent === 100
        ? "Requests with this key are refused once it has spent more than its budget."
        : "When the budget is used up, requests with this key are refused.",
      budget.resetsAtMs === null
        ? "This budget does not reset by itself."
        : `The budget resets at ${moment(budget.resetsAtMs)}.`,
    ],
    action: "See the key",
  }),
  spend_spike: ({ spent, usual }) => ({
    subject: `Unusual spend: ${shownUsd(spent)} this hour`,
    paragraphs: [
      `Your account has spent ${shownUsd(spent)} since the hour began. Over the last 7 days, an hour with spend cost ${shownUsd(usual)} on average.`,
      "If you do not expect this, find the key and disable it. That takes effect at its next request.",
    ],
    action: "See usage",
  }),
  model_deprecation: ({ end }) => ({
    subject: `${end.model} will be retired on ${end.on}`,
    paragraphs: [
      `Your account uses ${end.model}. Its vendor may stop serving it after ${end.on}; requests for it would then fail.`,
      end.replacement === undefined
        ? "The vendor names no replacement."
        : `The vendor names ${end.replacement} as its replacement.`,
    ],
    action: "See models",
  }),
  vendor_down: ({ channel, burst }) => ({
    subject:
      channel.reason === "quota"
        ? `Channel "${channel.name}" has no quota left`
        : `Channel "${channel.name}" is down`,
    paragraphs: [
      channel.state === "refused"
        ? `${channel.vendor} refuses every key of the channel "${channel.name}". No request goes there until the vendor accepts a key again, which the gateway checks from time to time, or until you replace the keys.`
        : channel.reason === "quota"
          ? `No key of the channel "${channel.name}" has quota left with ${channel.vendor}, so no request goes there. Top up with the vendor or add a key, then press "Retry now" on the channel.`
          : channel.state === "cooled" && channel.reason !== "rate"
            ? `Too many requests to ${channel.vendor} through the channel "${channel.name}" failed, so it gets no requests for now. The gateway tries it again by itself.`
            : `${burst?.failures ?? 0} of ${burst?.attempts ?? 0} calls to ${channel.vendor} through the channel "${channel.name}" failed since the last check.`,
      channel.message === undefined
        ? "The vendor gave no reason."
        : `The vendor's last message: ${channel.message}`,
    ],
    action: "See channels",
  }),
  input_loss: ({ loss }) => ({
    subject: `${loss.of === "channel" ? "Channel" : "Account"} "${loss.name}" has lost ${shownUsd(loss.amount)} of input today`,
    paragraphs: [
      loss.of === "channel"
        ? `On ${loss.day} (UTC), the vendor of the channel "${loss.name}" counted more input than the requests can have. Customers are not charged for the difference, which is ${shownUsd(loss.amount)} so far.`
        : `On ${loss.day} (UTC), vendors counted more input for the account "${loss.name}" than its requests can have. It is not charged for the difference, which is ${shownUsd(loss.amount)} so far.`,
      loss.of === "channel"
        ? "Compare the receipts and ask the vendor. The channel still serves requests."
        : "For the rest of the day, the gateway holds the price of the model's full context for its requests, and may charge it.",
    ],
    action: "See input losses",
  }),
  auto_topup_failed: ({ amount, reason, off }) => ({
    subject: off ? "Auto top-up was switched off" : "An automatic top-up failed",
    paragraphs: [
      `Your card could not be charged ${shownUsd(amount)}. The reason: ${reason}`,
      off
        ? "It failed too often in a row, so your card is not charged any more. Switch auto top-up on again to save another card."
        : "It is tried again in an hour, as long as your balance is low.",
    ],
    action: "See your wallet",
  }),
  payment_disputed: ({ amount, taken }) => ({
    subject: `A payment of ${shownUsd(amount)} was disputed`,
    paragraphs: [
      `The payer's bank has asked for ${shownUsd(amount)} back. ${shownUsd(taken)} of it was left in your balance and was taken out, and auto top-up is off.`,
      "If the dispute is decided in our favour, the money returns to your balance.",
    ],
    action: "See your wallet",
  }),
  webhook_disabled: ({ url, error, mailed }) => ({
    subject: "Your alert webhook was switched off",
    paragraphs: [
      `Too many calls to ${url} failed in a row, so it is not called any more.`,
      mailed
        ? "You still get alerts by e-mail."
        : "Alerts by e-mail are off as well, so this account gets no alerts until you switch one of the two on again.",
      `The last error: ${error}`,
    ],
    action: "Repair it and switch it on again",
  }),
  test: () => ({
    subject: "A test of your alerts",
    paragraphs: ["This is what an alert looks like. If you can read it, alerts reach you."],
    action: "See alert settings",
  }),
};
