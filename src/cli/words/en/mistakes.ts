import { doctor } from "./doctor.ts";

/** What is told to whoever typed a command that cannot be done. */
export const mistakes = {
  noCommand: 'there is no command "{command}"',
  notAmong: "{family} takes one of {commands}",
  optionUnknown: "there is no option {option} here",
  optionNeedsValue: "{option} needs a value",
  optionTakesNoValue: "{option} takes no value",
  optionMissing: "{option} is missing",
  optionsExclude: "use either {option} or {other}, not both",
  notWholeNumber: "{option} must be a whole number",
  notLimit: "{option} must be a whole number, 0 for no limit",
  notCount: "{option} must be a whole number of at least 1",
  notDollars: "{option} must be a plain decimal of dollars, such as 10.00",
  amountNotDollars: "the amount must be a plain decimal of dollars, such as 10.00",
  amountMissing: "write the amount once, as in: faregate topup --account ID 10.00",
  amountZero: "the amount must be above zero",
  notList: '{option} must be names separated by commas, or "all"',
  notNetwork: '{option}: "{found}" is not an address or CIDR range',
  notExpiry:
    '{option} must be a day such as 2027-01-31, a time such as 2027-01-31T12:00:00Z, or "never"',
  expiryPassed: "{option}: this time has passed; choose a later one",
  expiryTooLate: '{option}: choose a year before {year}, or "never"',
  notYesNo: "{option} must be yes or no",
  notChoice: "{option} must be one of {choices}",
  notSets: "{option} must be numbers separated by commas, such as 11,100",
  notTimeZone: "{option} must be the name of a time zone, such as Europe/Berlin",
  timeZoneIdle: "{option} is for a budget by the day, week or month; name one of them",
  notCallback: '{option} must begin with http:// or https://, or be "none"',
  wordUnexpected: '"{word}" is not expected here',
  briefUnquoted: '"{word}" is not expected; quote the brief',
  noOperatorAccount: "there is no operator account; name one with --account",
  upgradeOnlyChecks:
    "faregate upgrade takes --check and changes nothing: the next start of a new version upgrades the tables",
  noPortYet:
    "FAREGATE_PORT is 0 and no server runs, so the address of the link is unknown; start the server first, or set FAREGATE_PUBLIC_URL",
  noOperatorYet: 'there is no operator account; start "faregate serve" once to make it',
  noAccount: 'there is no account {id}; "faregate account list" shows them',
  accountMissing:
    '{option} is missing: there is more than one account, and "faregate account list" shows them',
  accountIdMissing:
    "name one account by its id, as in: faregate account set acct_… --overdraft 5.00",
  notOverdraft:
    "{option} must be a plain decimal of dollars from 0 to {max}, such as 5.00; 0 is none",
  keyOfOther: "key {id} is of account {owner}, not of {account}",
  noKey: 'there is no key {id}; "faregate key list" shows them',
  keyChanged: "key {id} was rotated or deleted in the meantime",
  keyUnnamed: "name the key by its id, as in: faregate key disable key_…",
  overlapTooLong: "{option} must be at most {max}",
  secretsOpen:
    "{max} former secrets of {id} still work; end them in the console first, or use {option} 0",
  keyUnchanged: "name at least one thing to change: {options}",
  noModel: '{option}: there is no model "{model}" in the catalogue',
  topUpIdTaken:
    "--id {id} was used for account {owner}; nothing was added to {account}. Choose another id.",
  topUpUnknown:
    "the outcome is unknown: {amount} USD may have been added to {account} ({reason}). Run the same command again with --id {id}: the amount is added only once under that id.",
  addressMissing: "write one address, as in: faregate operator reset ann@example.com",
  nobodySignsIn: "there is no person with the address {email}",
  accountUnchanged: "name at least one right, as in: faregate platform account set --product off",
  setsAlone: "--sets needs --third-party; an account's own token takes no sets",
  platformOff: "FAREGATE_PLATFORM is off; there is nothing to serve",
  portInUse: "port {port} of {host} is in use; set FAREGATE_PORT to another one",
  portRefused: `${doctor.portRefused}. ${doctor.portRefused_fix}`,
  dataUnreadable: `{path} cannot be read: {reason}. ${doctor.diskUnwritable_fix}`,
  dataUnwritable: `${doctor.diskUnwritable}. ${doctor.diskUnwritable_fix}`,
  dataFull:
    "the disk of {folder} is full. Free some space, or point FAREGATE_DATA to another folder.",
  secretSet: "FAREGATE_SECRET is set; set FAREGATE_SECRET_NEXT to the new one",
  notServerUrl: "FAREGATE_URL is not an address; write it as https://…",
  serverKeyMissing: "with FAREGATE_URL, set FAREGATE_API_KEY to a key of that server",
  accountUnnamed: "name the public account, as in: faregate draft account add ours --appid wx…",
  defaultUnnamed: "name one public account, as in: faregate draft account default ours",
  noAppSecret:
    "the AppSecret is missing: give it on the standard input with --stdin, as FAREGATE_APPSECRET, or at a terminal; or use --token-url or --supplied",
  noComponentSecret:
    "give component_appsecret and authorizer_refresh_token as a JSON object on the standard input, with --stdin",
  notSecrets: "the standard input is neither an AppSecret nor a JSON object",
  secretUnknown: '"{name}" is unknown; the standard input may have {known}',
  secretNotText: '"{name}" on the standard input is not a text',
  secretsTooLong: "the input is too long for secrets",
  givenUp: "given up",
  fileUnnamed: "name one file, as in: faregate draft push article.md",
  draftUnnamed: "name one draft by its id",
  draftAndFile: "name one draft by its id, and a file",
  notArticle: "{path}: an article is a .md, .markdown, .txt or .html file",
  noFile: "there is no file {path}",
  notAFile: "{path} is not a file that can be read",
  fileTooLarge: "{path} has {bytes} bytes; at most {limit}",
  badSettings: "{path}: the settings above the text cannot be read: {problem}",
  pictureAsPath: "write {address} as a path",
  noPicture: "the picture {address} is not there",
  pictureOutside:
    "the picture {address} lies outside the folder of the article; --allow-outside sends it",
  pictureTooLarge: "the picture {address} has {bytes} bytes; at most {limit}",
  pictureRefused: "{address}: {message}",
  draftExists:
    '{path} is already draft {id} ("{title}", {status}); --update brings the file into it, --new adds another one',
  fileMissing: "{file} is missing",
  fileEmpty: "{file} is empty",
  fileUnreadable: "{file} cannot be read: {detail}",
  fileDamaged: "{file} is damaged: {detail}",
  backupUnnamed: "name one file, as in: faregate backup /backups/today.tar",
  restoreUnnamed: "name one backup, as in: faregate restore /backups/today.tar",
  backupByPgDump:
    "this installation is in PostgreSQL; make the backup with its own program: pg_dump --format=custom --file=FILE ADDRESS. ADDRESS is that of the database itself, not of a pooler: DATABASE_URL without prepare=false",
  restoreByPgRestore:
    "this installation is in PostgreSQL; restore into an empty database: pg_restore --no-owner --single-transaction --dbname=ADDRESS FILE. ADDRESS is that of the database itself, not of a pooler: DATABASE_URL without prepare=false",
  noSecretFile:
    "there is no file secret.key in the data folder; the secret is FAREGATE_SECRET, which you keep yourself",
  secretChangingNow:
    'a change of the secret did not finish, so secret.key does not open everything that is sealed: finish it with "faregate secret rotate", or leave out --with-secret and keep both secrets yourself',
  secretNotOfThis:
    "the file secret.key is not the secret that this installation is sealed with. If that is FAREGATE_SECRET, leave out --with-secret and keep it yourself. If it was changed just now, run this again.",
  noFolder: "there is no folder {path}",
  backupIsFolder: "{path} is a folder; name a file in it, as in: faregate backup {example}",
  backupExists: "there is a file {file} already; --force replaces it",
  notABackup: "{file} is not a backup of Faregate",
  backupCut: "{file} is not complete: it was not copied to its end",
  backupDamaged: "{file} is damaged, and nothing was changed: {detail}",
  backupNewer:
    "this backup was made by a newer Faregate ({version}); upgrade this one to restore it",
  backupBooksWrong:
    "{file} is complete, but its ledger is wrong, so nothing was changed; --accept-problems restores it anyway:\n{problems}",
  folderInUse: "a server or a command works in {folder}; stop it first",
  folderNotEmpty: "there is an installation in {folder}; --force moves its databases aside",
  diskFull: "the disk of {folder} is full; nothing was changed",
  noAccess: "{path} may not be read or written",
  notPostgresUrl:
    "{option} must be the address of a PostgreSQL, such as postgres://user:password@host:5432/faregate",
  moveFromFiles:
    "DATABASE_URL is set, so this installation is in PostgreSQL already; unset it to move the files of FAREGATE_DATA",
  moveNotEmpty:
    "that PostgreSQL already has an installation ({table} has rows); nothing was changed. Use an empty database.",
  moveBooksWrong:
    "the ledger of the files is wrong, so nothing was moved; --accept-problems moves them anyway:\n{problems}",
  moveDiffers:
    "PostgreSQL has other data than was sent, so everything was rolled back; the files did not change:\n{problems}",
  moveRefused:
    "nothing was moved, and the files did not change; you can try again. PostgreSQL says: {reason}",
  moveUnknown:
    'the connection was lost during the commit, so the outcome is unknown; the files did not change. Run "DATABASE_URL=… faregate verify": if it counts accounts, everything was moved; if it counts none, nothing was, and you can try again.',
} as const;
