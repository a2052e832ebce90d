import { doctor } from "./doctor.ts";

/** What is told to whoever typed a command that cannot be done. */
export const mistakes = {
  noCommand: 'there is no command "{command}"',
  notAmong: "{family} takes one of {commands}",
  optionUnknown: "there is no option {option} here",
  optionNeedsValue: "{option} needs a value",
  optionTakesNoValue: "{option} takes no value",
  optionMissing: "{option} is missing",
  optionsExclude: "{option} and {other} exclude each other",
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
  wordUnexpected: '"{word}" is not understood here',
  briefUnquoted: '"{word}" is not expected; quote the brief',
  noOperatorAccount: "there is no operator account; name one with --account",
  noPortYet:
    "FAREGATE_PORT is 0 and no server runs, so nobody knows where a link would lead; start the server first, or set FAREGATE_PUBLIC_URL",
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
  keyChanged: "key {id} was given another secret or deleted meanwhile",
  keyUnnamed: "name the key by its id, as in: faregate key disable key_…",
  overlapTooLong: "{option} must be at most {max}",
  secretsOpen:
    "{max} earlier secrets of {id} still work; end them in the console first, or write {option} 0",
  keyUnchanged: "say what to change: {options}",
  noModel: '{option}: there is no model "{model}" in the catalogue',
  topUpIdTaken:
    "--id {id} was used for account {owner}; nothing was added to {account}. Choose another id.",
  topUpUnknown:
    "it is not known whether {amount} USD were added to {account} ({reason}). Run the same command again with --id {id}: under that id they are added once.",
  addressMissing: "write one address, as in: faregate operator reset ann@example.com",
  nobodySignsIn: "nobody signs in with {email}",
  accountUnchanged: "say what to set, as in: faregate platform account set --product off",
  setsAlone: "--sets goes with --third-party; an account's own token needs none",
  platformOff: "FAREGATE_PLATFORM is off; there is nothing to serve",
  portInUse: "port {port} of {host} is in use; set FAREGATE_PORT to another one",
  portRefused: `${doctor.portRefused}. ${doctor.portRefused_fix}`,
  dataUnreadable: `{path} cannot be read: {reason}. ${doctor.diskUnwritable_fix}`,
  dataUnwritable: `${doctor.diskUnwritable}. ${doctor.diskUnwritable_fix}`,
  dataFull:
    "there is no room left on the disk of {folder}. Make room, or point FAREGATE_DATA to another folder.",
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
  secretUnknown: '"{name}" is not taken from the standard input; there are {known}',
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
    "this installation is in PostgreSQL, whose own program makes backups of one moment: pg_dump --format=custom --file=FILE ADDRESS. ADDRESS is that of the database itself, not of a pooler: DATABASE_URL without prepare=false",
  restoreByPgRestore:
    "this installation is in PostgreSQL; into an empty database: pg_restore --no-owner --single-transaction --dbname=ADDRESS FILE. ADDRESS is that of the database itself, not of a pooler: DATABASE_URL without prepare=false",
  noSecretFile:
    "there is no file secret.key in the data folder; the secret is FAREGATE_SECRET, which you keep yourself",
  secretChangingNow:
    'a change of the secret was begun and is not at its end, so secret.key does not open all that is sealed: finish it with "faregate secret rotate", or leave out --with-secret and keep both secrets yourself',
  secretNotOfThis:
    "the file secret.key is not the secret that this installation is sealed with. Where that is FAREGATE_SECRET, you keep it yourself: leave out --with-secret. Where it was changed just now, run this again.",
  noFolder: "there is no folder {path}",
  backupIsFolder: "{path} is a folder; name a file in it, as in: faregate backup {example}",
  backupExists: "there is a file {file} already; --force replaces it",
  notABackup: "{file} is not a backup of Faregate",
  backupCut: "{file} ends before it should: it was not copied to its end",
  backupDamaged: "{file} is damaged, and nothing was changed: {detail}",
  backupNewer:
    "this backup was made by a newer Faregate ({version}); upgrade this one to restore it",
  backupBooksWrong:
    "{file} is whole, but its books are not right, and nothing was changed; --accept-problems restores it all the same:\n{problems}",
  folderInUse: "a server or a command works in {folder}; stop it first",
  folderNotEmpty: "there is an installation in {folder}; --force moves its databases aside",
  diskFull: "there is no room left on the disk of {folder}; nothing was changed",
  noAccess: "{path} may not be read or written",
  notPostgresUrl:
    "{option} must be the address of a PostgreSQL, such as postgres://user:password@host:5432/faregate",
  moveFromFiles:
    "DATABASE_URL is set, so this installation is in PostgreSQL already; unset it to move the files of FAREGATE_DATA",
  moveNotEmpty:
    "there is an installation in that PostgreSQL already ({table} has rows); nothing was changed. Take an empty database.",
  moveBooksWrong:
    "the books of the files are not right, and nothing was moved; --accept-problems moves them all the same:\n{problems}",
  moveDiffers:
    "what arrived in PostgreSQL is not what was sent, so nothing of it was kept; the files are as they were:\n{problems}",
  moveRefused:
    "nothing was moved, and it can be tried again; the files are as they were. PostgreSQL says: {reason}",
  moveUnknown:
    'the connection was lost at the very end, and it is not known whether everything was moved; the files are as they were. Look with "DATABASE_URL=… faregate verify": where it counts accounts, all of it was moved; where it counts none, nothing was, and it can be tried again.',
} as const;
