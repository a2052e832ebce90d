import type { Help } from "../help.ts";

export const HELP: Help = {
  title: "faregate: a prepaid gateway for language models",
  commands: `  faregate serve                          serve; the first start makes an account and a key
  faregate serve --new                    the same, and make a new file for one that the data folder lost
  faregate account create --name N [--hard] [--overdraft 5.00]
  faregate account set ID [--name N] [--hard yes|no] [--overdraft 5.00]
  faregate account list
  faregate key create --name N [--account ID] [settings]
  faregate key list [--account ID]
  faregate key set ID [--name N] [settings]
  faregate key disable ID
  faregate key enable ID
  faregate key rotate ID [--overlap-hours 24]   a new secret; the former one works for so long
  faregate key delete ID                  for good; receipts still name it
  faregate operator link                  a way into the console, for one more operator
  faregate operator reset EMAIL           a link for setting a new password
  faregate platform                       serve only the public-account platform
  faregate platform account               AppID and AppSecret of this installation's public account
  faregate platform account set [rights]
  faregate platform token [--third-party --sets 11,100]
  faregate draft new --brief TEXT --model M [article]      let a model write an article, as a draft
  faregate draft push FILE.md|FILE.html [article]          a draft of your own text
                       [--update | --new]      if the file is a draft already
  faregate draft ls | get ID | rm ID | retry ID [--as-new]
  faregate draft update ID [FILE] [article]
  faregate draft doctor [--account A] | themes
  faregate draft account ls | default NAME
  faregate draft account add NAME --appid ID [access]      a public account; its secret is asked for
  faregate mcp                            drafts for an agent, over standard input and output
  faregate topup --account ID 10.00 [--note TEXT] [--id IDEMPOTENCY-KEY]
  faregate usage [--account ID] [--key ID] [--days 30]
  faregate health [--ready]               ask the server of these settings whether it is alive, or ready
  faregate verify                         check the files, and recompute every sum of the ledger
  faregate doctor [--live]                check everything once, and say what to do; --live also makes
                                          small calls that vendors bill, and compares their answers
  faregate backup FILE [--force] [--with-secret]  everything of one moment, while the server runs
  faregate restore FILE [--force] [--accept-problems]   put a backup into the data folder, after a check
  faregate migrate --to postgres://… [--accept-problems]   move this installation from its files into an empty PostgreSQL
  faregate upgrade --check                what the next start of this version changes; nothing is changed
  faregate secret rotate                  a new secret for all that is sealed; stop the server first
  faregate secret accept                  the former secret is lost: use the one that is set, or a new one
  faregate version                        which Faregate this is`,
  parts: {
    "[settings]": `Settings of a key:
  --budget 1.50|none                           in all
  --budget-day 1.50|none  --budget-week 5|none  --budget-month 20|none
  --time-zone Asia/Shanghai                    where days, weeks and months begin (UTC)
  --models a,b|all      --networks 10.0.0.0/8,…|all
  --rpm N  --tpm N  --concurrency N            requests, tokens per minute; at once (0: no limit)
  --expires 2027-01-31|never                   last day, in the time zone of the terminal; or a time,
                                               such as 2027-01-31T12:00:00Z
  --hard yes|no         --account-read yes|no  --show-cost yes|no`,
    "[rights]": `Rights of a public account:
  --type subscription|service|other            --product ok|restricted|off
  --verified yes|no     --comments yes|no      --networks 10.0.0.0/8,…|all
  --callback https://…|none                    address that is called when a draft was published`,
    "[article]": `Settings of an article:
  --title T  --author A  --digest D  --theme T --cover FILE|URL  --source-url URL
  --account A                                  the public account, by name or id
  --language L  --length short|medium|long|N   --tone T (of a brief)
  --dry-run             --key IDEMPOTENCY-KEY  --publish  --allow-outside (pictures of other folders)`,
    "[access]": `Settings of a new public account:
  --platform-url URL|built-in  --proxy-url http://HOST:PORT  --author A  --no-default  --allow-publish
  --stdin                                      its secrets on the standard input: the AppSecret, or JSON
  --supplied | --token-url URL                 another service fetches its token
  --component-appid ID                         of a third-party platform`,
  },
  families: {
    draft: `The commands of drafts call FAREGATE_URL, or the server of this folder, or start one; with
FAREGATE_API_KEY, or the key "command line". They exit with 2 for input, 3 for settings, rights and
addresses, 4 for limits, 5 when the platform's outcome is unknown, 6 when a pushed file is a draft
already.`,
  },
  end: `Each command takes --json, except those that serve. Settings come from the environment:
FAREGATE_DATA (./data), DATABASE_URL, FAREGATE_HOST (127.0.0.1), FAREGATE_PORT (8080), FAREGATE_LANG
(en, zh; else as the terminal's LC_ALL, LC_MESSAGES or LANG says); docs/settings.md lists all.`,
};
