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
  check_tables: "tables",
  check_backup: "backup",
  check_instances: "instances",
  check_return: "going back",
  sum_upgradeNone: "Nothing to do: this version can start.",
  sum_upgradeToDo: "To do before this version starts: {count}.",
  sum_upgradeNot: "This version cannot start here.",

  tablesNone: "there is no database yet; the first start creates it",
  tablesCurrent: "the tables are those of this version",
  tablesOlder: "the next start upgrades {rooms}",
  tablesRefused: "{reason}",
  tablesRefused_fix:
    "Install the version that the message names, or restore a backup of this version.",
  upgradeRoom: "{free} free, and the databases have {size}",
  upgradeRoomShort: "only {free} free, but the databases have {size}",
  upgradeRoomShort_fix: "An upgrade may need twice the size of the databases. Make room first.",
  backupNone: "no backup of this folder is known",
  backupNone_fix: 'Run "faregate backup FILE" now; it works beside the server.',
  backupOld: "the last backup is from {at}: {file}",
  backupOld_fix:
    'It is older than a day. Run "faregate backup FILE" now; it works beside the server.',
  backupFresh: "the last backup is from {at}: {file}",
  backupByDump: "PostgreSQL is backed up by pg_dump, which this command cannot see",
  backupByDump_fix:
    "Make a dump before the first new instance starts; docs/backup.md has the line.",
  instancesNone: "no server runs",
  instancesGoOn: "these go on while you replace them one after the other: {names}",
  instancesStop: "these run on the tables of the version before: {names}",
  instancesStop_fix: "Stop all of them before the first one of this version starts.",
  returnPossible:
    "the version before can use the tables afterwards: install it again in the same way, by npx faregate@VERSION, its executable, its image or helm rollback",
  returnByBackup: "the version before cannot use the tables afterwards",
  returnByBackup_fix: "Going back needs a backup from before the upgrade. Keep one.",

  sum_good: "Everything is well.",
  sum_bad: "Problems: {problems}. Warnings: {warnings}.",
  sum_live:
    "--live now sends {calls} short requests to vendors, which bill them: {channels}. Each one asks for the word ok, a call of a tool or an embedding, with at most {tokens} output tokens.",

  checkFailed: "this could not be checked: {reason}",
  checkFailed_fix: "Run the command again. If it fails again, report it.",

  runtime: "Bun {version}",
  runtimeOther: "Bun {version}, but this program is made for {expected}",
  runtimeOther_fix:
    'Run "npm install", and start the server with "npm start" or bin/faregate, which bring their own Bun.',
  settings: "the settings can be read",
  settingsWrong: "{reason}",
  settingsWrong_fix: "No server starts like this. docs/settings.md lists every setting.",
  settingUnknown: "{setting} is not a setting and has no effect",
  settingUnknown_fix: "Remove it, or write it as docs/settings.md does.",
  settingMisspelt: "{setting} is not a setting and has no effect; did you mean {meant}?",
  settingMisspelt_fix: "Correct the name, or remove it.",
  settingGone: "{setting} no longer exists: {instead}",
  settingGone_fix: "Remove it.",
  callsFew: "BUN_CONFIG_MAX_HTTP_REQUESTS allows only {count} calls to vendors at once",
  callsFew_fix: "Unset it; the server then sets it to 65336.",
  tlsUnverified:
    "NODE_TLS_REJECT_UNAUTHORIZED is 0: anybody on the network can read vendor keys and prompts",
  tlsUnverified_fix:
    "Unset it. For a proxy of your own, name its certificate in NODE_EXTRA_CA_CERTS.",

  databaseOpens: "{place} opens",
  databaseMissing: "there is no database at {place} yet",
  databaseMissing_fix: 'Run "faregate serve" once; it creates the database.',
  databaseClosed: "{reason}",
  databaseClosed_fix:
    "Without it every request gets 503. Check that it runs, that DATABASE_URL or FAREGATE_DATA points to it, and that its password is right.",
  schemaCurrent: "its tables are those of this version ({version})",
  schemaOld:
    "its tables have version {found}, this program has {known}; nothing else in it was checked",
  schemaOld_fix:
    "The next start of this version upgrades them. Make a backup first (docs/backup.md).",
  schemaNew: "its tables have version {found}, this program only knows {known}",
  schemaNew_fix: "A newer Faregate wrote it. Use that version.",
  roomsOld: "the tables of the console are not those of this version",
  roomsOld_fix: "The next start upgrades them.",
  secretFits: "these settings have the secret that opens it",
  secretOther: "it is sealed with another secret, and no server starts with this one",
  secretOther_fix:
    'Set FAREGATE_SECRET to that one, or put its secret.key back into the data folder. If it is lost, run "faregate secret accept" to continue with this one.',
  secretMissing: "it is sealed, and there is no secret: neither FAREGATE_SECRET nor secret.key",
  secretMissing_fix:
    'Put the secret back: no server starts without it. If it is lost, run "faregate secret accept" to continue with a new one.',
  secretChanging: "a change of the secret did not finish",
  secretChanging_fix:
    'Run "faregate secret rotate" again, with the same settings. If one of the two secrets is lost, "faregate secret accept" ends the change.',
  serverRuns: "a server at {origin} uses it",
  serverElsewhere: "servers on other machines or ports use it",
  serverNone: "no server uses it",
  serverDead: "a server was started at {origin}, but nothing answers there",
  serverDead_fix: "It was killed, or it hangs. Read its log, and start it again.",

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
  diskNoFile: "no file can be created in {folder}, although the disk has space: {reason}",
  diskNoFile_fix: "Remove files from this disk, or raise the quota of the server's user.",
  diskPrivate: "nobody else can read {folder}",
  diskOpen: "others on this machine may read {files}",
  diskOpen_fix: "Run: chmod go-rwx {files}",

  clockSteady: "the clock runs steadily",
  clockJumps: "the clock jumped by {ms} ms",
  clockJumps_fix:
    "Let chrony or systemd-timesyncd adjust it slowly. Keys and budgets depend on it.",
  clockAgrees: "it agrees with {other} to within {seconds} s",
  clockDiffers: "it differs from {other} by {seconds} s",
  clockDiffers_fix:
    "Synchronise both by NTP. Budget periods, price dates and the expiry of keys depend on the clock.",

  portAny: "the server will choose a free port",
  portFree: "{place} is free",
  portOurs: "the server of this installation listens on {place}",
  portTaken: "another program listens on {place}",
  portTaken_fix: "Stop that program, or set FAREGATE_PORT to another port.",
  portRefused: "the server cannot listen on {place}: {reason}",
  portRefused_fix:
    "Set FAREGATE_HOST to an address of this machine, and FAREGATE_PORT to a port above 1023.",

  vendorNone: "no vendor is set: only the sandbox answers",
  vendorNone_fix: "Set a vendor's key, such as OPENAI_API_KEY, or add a channel in the console.",
  vendorAnswers: "{channel}: it answers",
  keyTaken: "{channel}: the key {key} works",
  keyUnasked: "{channel}: it has no list of models, so the key {key} was not tried",
  keyRefused: "{channel}: the vendor refuses the key {key}, with {status}",
  keyRefused_fix: "Make a new key at the vendor, and replace this one.",
  keyLimited: "{channel}: the vendor limits the key {key}, with {status}",
  keyLimited_fix: "Wait, or check your quota at the vendor.",
  vendorFails: "{channel}: it answers with {status}",
  vendorFails_fix:
    "Check the vendor's status page. Until it works, requests go to other channels, if there are any.",
  vendorAway: "{channel}: it cannot be reached: {reason}",
  vendorAway_fix:
    "Check its address, and that this machine can reach it: DNS, firewall, HTTPS_PROXY.",
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
  pricesFresh: "the prices of {count} charged models were checked within {days} days",
  pricesUndated: "the prices of {count} charged models are in faregate.yaml without a day",
  pricesOld: "{count} of {all} prices were last checked more than {days} days ago: {models}",
  pricesOld_fix: "Upgrade, or look them up, and set them in the console or in faregate.yaml.",

  holdsNone: "no request holds money",
  holdsRunning: "{count} running requests hold money",
  holdsLeft: "{count} requests hold money, but no server runs",
  holdsLeft_fix: "They were interrupted. The next start gives the money back.",

  sumsRight: "{accounts} accounts, {entries} entries and {receipts} receipts add up",
  sumsWrong: "{count} sums of the ledger are wrong, such as: {first}",
  sumsWrong_fix:
    'Stop the server, keep a copy of the database as it is, and run "faregate verify" for the whole list.',
} as const;
