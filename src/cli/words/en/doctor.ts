/** What the doctor finds, and under the same name with `_fix` what to do about it. */
export const doctor = {
  state_ok: "ok",
  state_warning: "warning",
  state_problem: "problem",
  check_environment: "environment",
  check_database: "database",
  check_disk: "disk",
  check_clock: "clock",
  check_port: "port",
  check_vendors: "vendors",
  check_live: "live",
  check_prices: "prices",
  check_holds: "holds",
  check_sums: "sums",
  sum_good: "Everything is well.",
  sum_bad: "Problems: {problems}. Warnings: {warnings}.",
  sum_live:
    "--live now sends {calls} short requests to vendors, which bill them: {channels}. Each one asks for the word ok, a call of a tool or an embedding, with at most {tokens} output tokens.",

  checkFailed: "this could not be looked at: {reason}",
  checkFailed_fix: "Run the command again; if it stays so, this is worth a report.",

  runtime: "Bun {version}",
  runtimeOther: "Bun {version}, while this program is made for {expected}",
  runtimeOther_fix:
    'Run "npm install", and start the server with "npm start" or bin/faregate, which bring their own Bun.',
  settings: "the settings can be read",
  settingsWrong: "{reason}",
  settingsWrong_fix: "No server starts like this. docs/settings.md lists every setting.",
  settingUnknown: "{setting} is no setting, so it does nothing",
  settingUnknown_fix: "Remove it, or write it as docs/settings.md does.",
  settingMisspelt: "{setting} is no setting, so it does nothing; there is {meant}",
  settingMisspelt_fix: "Write it so, or remove it.",
  settingGone: "{setting} is no setting any more: {instead}",
  settingGone_fix: "Remove it.",
  callsFew: "BUN_CONFIG_MAX_HTTP_REQUESTS is {count}: no more calls to vendors run at once",
  callsFew_fix: "Unset it; the server then sets it to 65336.",
  tlsUnverified:
    "NODE_TLS_REJECT_UNAUTHORIZED is 0: anybody on the network can read vendor keys and prompts",
  tlsUnverified_fix:
    "Unset it; give the certificate of a proxy of your own in NODE_EXTRA_CA_CERTS.",

  databaseOpens: "{place} opens",
  databaseMissing: "there is none yet at {place}",
  databaseMissing_fix: 'Start "faregate serve" once; it makes one.',
  databaseClosed: "{reason}",
  databaseClosed_fix:
    "Without it every request is answered with 503. See that it runs, that DATABASE_URL or FAREGATE_DATA points to it, and that its password is right.",
  schemaCurrent: "its tables are those of this version ({version})",
  schemaOld:
    "its tables are of version {found}, this program has {known}; nothing more was looked at in it",
  schemaOld_fix:
    "The next start of this version brings them up to date. Make a backup before (docs/backup.md).",
  schemaNew: "its tables are of version {found}, this program only knows {known}",
  schemaNew_fix: "A newer Faregate has written it. Use that one.",
  roomsOld: "the tables of the console are not those of this version",
  roomsOld_fix: "The next start brings them up to date.",
  secretFits: "what is sealed in it opens with the secret of these settings",
  secretOther:
    "what is sealed in it was sealed with another secret, and no server starts with this one",
  secretOther_fix:
    'Set FAREGATE_SECRET to that one, or put its secret.key back into the data folder. Where it is lost, "faregate secret accept" goes on with this one.',
  secretMissing:
    "what is sealed in it needs a secret, and there is none: neither FAREGATE_SECRET nor secret.key",
  secretMissing_fix:
    'Put it back: without it no server starts. Where it is lost, "faregate secret accept" goes on with a new one.',
  secretChanging: "a change of the secret was begun and did not come to its end",
  secretChanging_fix:
    'Run "faregate secret rotate" again, with the same settings. Where one of the two secrets is lost, "faregate secret accept" ends it.',
  serverRuns: "a server runs on it, at {origin}",
  serverElsewhere: "servers on other machines, or other ports, run on it",
  serverNone: "no server runs on it",
  serverDead: "a server said that it is at {origin}, but nothing answers there",
  serverDead_fix: "It was killed, or it hangs. Look at its log, and start it again.",

  diskRoom: "{free} free in {folder}",
  diskShort: "only {free} free in {folder}",
  diskShort_fix:
    "Make room. On a full disk nothing can be settled, and every request is answered with 503.",
  diskFlush: "a flush takes {ms} ms",
  diskSlow: "a flush takes {ms} ms; every answer waits for one",
  diskSlow_fix:
    "Put the folder on a local SSD, not on a network drive, and see what else writes to the disk.",
  diskUnwritable: "{folder} cannot be written to: {reason}",
  diskUnwritable_fix:
    "Give it to the user that the server runs as, or point FAREGATE_DATA to another folder.",
  diskNoFile: "{folder} takes no more files, though there is room: {reason}",
  diskNoFile_fix: "Remove files of this disk, or have the quota of the server's user raised.",
  diskPrivate: "nobody else can read {folder}",
  diskOpen: "others on this machine may read {files}",
  diskOpen_fix: "Run: chmod go-rwx {files}",

  clockSteady: "the clock runs steadily",
  clockJumps: "the clock moved by {ms} ms within a moment",
  clockJumps_fix:
    "Something sets it in steps. Let chrony or systemd-timesyncd slew it; time limits of keys and budgets go by it.",
  clockAgrees: "it agrees with {other} to within {seconds} s",
  clockDiffers: "it differs from {other} by {seconds} s",
  clockDiffers_fix:
    "Synchronise both by NTP. Windows of budgets, dates of prices and ends of keys go by the clock.",

  portAny: "any free port is taken",
  portFree: "{place} is free",
  portOurs: "{place} is held by the server of this installation",
  portTaken: "{place} is held by something else",
  portTaken_fix: "Stop what listens there, or set FAREGATE_PORT to another one.",
  portRefused: "{place} cannot be listened on: {reason}",
  portRefused_fix:
    "Set FAREGATE_HOST to an address of this machine, and FAREGATE_PORT to a port above 1023.",

  vendorNone: "none is set: only the sandbox answers",
  vendorNone_fix: "Set a vendor's key, such as OPENAI_API_KEY, or add a channel in the console.",
  vendorAnswers: "{channel}: it answers",
  keyTaken: "{channel}: the key {key} is taken",
  keyUnasked: "{channel}: it has no list of models, so the key {key} was not tried",
  keyRefused: "{channel}: the key {key} is refused, with {status}",
  keyRefused_fix: "Make a new one at the vendor, and put it in this one's place.",
  keyLimited: "{channel}: the key {key} is told to slow down, with {status}",
  keyLimited_fix: "Wait, or see at the vendor whether a quota is used up.",
  vendorFails: "{channel}: it answers with {status}",
  vendorFails_fix:
    "Look at the vendor's status page. Requests go to other channels meanwhile, where there are any.",
  vendorAway: "{channel}: it cannot be reached: {reason}",
  vendorAway_fix:
    "See that its address is right, and that this machine may call it: names, firewall, HTTPS_PROXY.",
  channelClosed: "{channel}: {reason}",
  channelClosed_fix:
    "Enter its keys again in the console, or set FAREGATE_SECRET to the secret that sealed them.",

  liveSame: "{channel}, {wire}, {call} ({model}): as documented",
  liveUnsent: "{channel}, {wire}: no model is served there, so nothing was sent",
  liveFails: "{channel}, {wire}, {call} ({model}): {reason}",
  liveFails_fix:
    "Requests like this one fail. Look at the reason, then at the vendor's documentation and status page.",
  liveLacks: "{channel}, {wire}, {call} ({model}): the answer lacks {members}",
  liveLacks_fix:
    "The vendor differs from its documentation. Compare a receipt with its bill, and report the difference.",
  liveOther: "{channel}, {wire}, {call} ({model}): the answer has another type in {members}",
  liveOther_fix:
    "The vendor differs from its documentation. Compare a receipt with its bill, and report the difference.",
  liveMore: "{channel}, {wire}, {call} ({model}): the answer also has {members}",
  liveMore_fix: "The gateway does not read these. Report them, since they may have a price.",

  pricesNone: "no model of a real vendor is served",
  pricesFresh: "{count} that are charged were checked within {days} days",
  pricesUndated: "{count} that are charged stand in faregate.yaml, which names no day of them",
  pricesOld: "{count} of {all} were last checked more than {days} days ago: {models}",
  pricesOld_fix: "Upgrade, or look them up and set them in the console or in faregate.yaml.",

  holdsNone: "no request holds money",
  holdsRunning: "{count} requests hold money and run",
  holdsLeft: "{count} requests hold money, but no server runs",
  holdsLeft_fix: "They were interrupted. The next start gives the money back.",

  sumsRight: "{accounts} accounts, {entries} entries and {receipts} receipts add up",
  sumsWrong: "{count} sums of the books are wrong, such as: {first}",
  sumsWrong_fix:
    'Stop the server, keep a copy of the database as it is, and run "faregate verify" for the whole list.',
} as const;
