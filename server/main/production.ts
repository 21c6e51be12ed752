import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { parseNetwork } from '../http/proxies.ts'
import { isWeak } from '../identity/server-keys.ts'
import { bucketOf } from '../papers/photo-place.ts'
import { type Settings, SettingsFault, witnessFolderOf } from './settings.ts'

/** Facts about the process that a start is checked for, in addition to the settings. */
export type Surroundings = {
  /** The process's user id; undefined on systems without one. */
  readonly uid: number | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Node's command-line flags. */
  readonly flags: readonly string[]
}

type Rule = { readonly isUnsafe: (settings: Settings, surroundings: Surroundings) => boolean; readonly line: string }

const tokenLength = 32

/**
 * Conditions that are convenient on a developer's machine but dangerous with real money. Production does not start while any of
 * them holds. `docs/production.md` is printed from this table.
 */
export const productionRules = {
  'public-address': {
    isUnsafe: ({ publicUrls }) => publicUrls.length === 0 || publicUrls.some((url) => !url.startsWith('https:')),
    line: 'CANDOR_PUBLIC_URL must be the https address that people use',
  },
  'console-address': {
    isUnsafe: ({ consoleUrl }) => consoleUrl !== undefined && !consoleUrl.startsWith('https:'),
    line: 'CANDOR_CONSOLE_URL must be an https address',
  },
  proxies: {
    isUnsafe: ({ trustedProxies }) => trustedProxies === undefined,
    line: 'CANDOR_TRUSTED_PROXIES is missing: say which networks your proxies are in, or none',
  },
  'proxies-of-others': {
    isUnsafe: ({ trustedProxies }) => trustedProxies?.some(isWide) === true,
    line: 'CANDOR_TRUSTED_PROXIES names a network that is too wide to be yours: strangers in it could claim any address',
  },
  'plain-http': {
    isUnsafe: ({ host, trustedProxies }) => trustedProxies?.length === 0 && !isLoopback(host),
    line: 'HOST is open to the network although there is no proxy: passwords would travel without TLS',
  },
  'server-key-missing': {
    isUnsafe: ({ serverKey }) => serverKey === undefined,
    line: 'CANDOR_SERVER_KEY is missing: a generated one would lie beside the database that it protects',
  },
  'server-key-beside-data': {
    isUnsafe: liesBesideData,
    line: 'CANDOR_SERVER_KEY is in a file of the data folder: a backup of the folder would open the secrets in it',
  },
  'server-key-weak': {
    isUnsafe: ({ serverKey }) => serverKey?.split(',').some((key) => isWeak(Buffer.from(key, 'hex'))) === true,
    line: 'CANDOR_SERVER_KEY is weak: generate one with openssl rand -hex 32',
  },
  'metrics-token': {
    isUnsafe: ({ metricsToken }) => (metricsToken ?? '').length < tokenLength || new Set(metricsToken).size < 8,
    line: `CANDOR_METRICS_TOKEN must have at least ${tokenLength} random characters`,
  },
  'mail-missing': {
    isUnsafe: ({ smtpUrl }) => smtpUrl === undefined,
    line: 'SMTP_URL is missing: codes cannot be sent',
  },
  'mail-plain': {
    isUnsafe: ({ smtpUrl }) => smtpUrl !== undefined && isOpenTo(smtpUrl, 'smtps:'),
    line: 'SMTP_URL must begin with smtps: codes would travel without TLS',
  },
  'mail-from': {
    isUnsafe: ({ mailFrom }) => mailFrom === undefined,
    line: 'MAIL_FROM is missing: emails need a sender that people know',
  },
  'sms-plain': {
    isUnsafe: ({ smsUrl }) => smsUrl !== undefined && isOpenTo(smsUrl, 'https:'),
    line: 'SMS_URL must begin with https: codes would travel without TLS',
  },
  'sms-countries': {
    isUnsafe: ({ smsUrl, phoneCountries }) => smsUrl !== undefined && phoneCountries === undefined,
    line: 'CANDOR_PHONE_COUNTRIES is missing: say which countries text messages may go to',
  },
  'photos-plain': {
    isUnsafe: ({ photos }) => photos !== undefined && bucketOf(photos) !== undefined && isOpenTo(bucketOf(photos)!.url, 'https:'),
    line: 'CANDOR_PHOTOS must begin with s3+https: the names of photos would travel without TLS',
  },
  'database-plain': {
    isUnsafe: (settings, { environment }) => databasesOf(settings).some((url) => isPlainDatabase(url, environment)),
    line: 'DATABASE_URL must end with ?sslmode=verify-full: the journal would travel without TLS',
  },
  'database-users': {
    isUnsafe: (settings) => hasTwice(databasesOf(settings).map((url) => new URL(url).username)),
    line: 'Each CANDOR_DATABASE_URL_… must name a user of its own, and none that of DATABASE_URL',
  },
  'bus-open': {
    isUnsafe: ({ natsUrl }) => natsUrl !== undefined && natsUrl.split(',').some(isOpenBus),
    line: 'NATS_URL must begin with tls and name user and password: whoever reaches the bus sends commands',
  },
  'witness-beside-database': {
    isUnsafe: (settings) => settings.databaseUrl === undefined && isInside(witnessFolderOf(settings), settings.dataFolder),
    line: 'CANDOR_WITNESS must name a folder outside the data folder: an older copy of that folder would bring back an older witness too',
  },
  'simulated-prices': {
    isUnsafe: ({ feed }) => feed !== 'live',
    line: 'CANDOR_FEED must be live',
  },
  'test-chains': {
    isUnsafe: ({ hasTestChains }) => hasTestChains === true,
    line: 'CANDOR_TEST_CHAINS must be off: anybody makes coins there',
  },
  bots: {
    isUnsafe: ({ hasBots }) => hasBots,
    line: 'CANDOR_BOTS must be off: they trade with practice funds',
  },
  root: {
    isUnsafe: (_, { uid }) => uid === 0,
    line: 'The process runs as root: run it as a user of its own',
  },
  'certificates-ignored': {
    isUnsafe: (_, { environment }) => environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0',
    line: 'NODE_TLS_REJECT_UNAUTHORIZED must not be 0: every certificate would be accepted',
  },
  debugger: {
    isUnsafe: (_, { environment, flags }) => /--inspect/.test([environment['NODE_OPTIONS'] ?? '', ...flags].join(' ')),
    line: 'Node runs with --inspect: its debugger is a console without a password',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type ProductionRule = keyof typeof productionRules

/** Names of the rules that a start breaks, in the table's order; none in a sandbox. */
export function unsafeIn(settings: Settings, surroundings: Surroundings): readonly ProductionRule[] {
  if (settings.mode === 'sandbox') return []
  const names = Object.keys(productionRules) as ProductionRule[]
  return names.filter((name) => productionRules[name].isUnsafe(settings, surroundings))
}

/** throws  SettingsFault with one line for each unsafe combination */
export function refuseUnsafe(settings: Settings, surroundings: Surroundings = hereAndNow()): void {
  const broken = unsafeIn(settings, surroundings)
  if (broken.length === 0) return
  throw new SettingsFault(`Production refuses to start:\n${broken.map((name) => `  ${productionRules[name].line}`).join('\n')}`)
}

/** Lines that a start prints: its mode, and what is safe only if it is meant so. */
export function announced({ mode, trustedProxies }: Settings): readonly string[] {
  if (mode === 'sandbox') return ['This is a sandbox.']
  const withoutProxies =
    'CANDOR_TRUSTED_PROXIES is none: whoever connects is taken for the customer. Behind a proxy all would share one address.'
  return ['This is production.', ...(trustedProxies?.length === 0 ? [withoutProxies] : [])]
}

/** The text of `docs/production.md`. */
export function printedProductionPage(): string {
  return [
    '# Production',
    '',
    'Production does not start while any of these rules is broken. It prints the line of every broken rule at once.',
    '',
    '| rule | line |',
    '|---|---|',
    ...Object.entries(productionRules).map(([name, { line }]) => `| \`${name}\` | ${line} |`),
    '',
    'Each process uses the database as a user of its own: `rights.ts` in `server/store` lists the rights of each on each table. Only the',
    'owner of the tables can change or delete rows of tables that only grow: the journal, entries, trades, the tape, the audit log. A start creates the',
    'users `<database>_engine`, `_follower`, `_gateway` and `_backup` if the user of `DATABASE_URL` may create roles, and sets their rights',
    'after the migrations. Otherwise create them yourself and give their URLs in `CANDOR_DATABASE_URL_ENGINE`, `_FOLLOWER`, `_GATEWAY`',
    'and `_BACKUP`; each needs a `statement_timeout`. A process whose user could change the journal does not start.',
    '`candor database url backup` prints the address for `pg_dump`, whose user reads everything and writes nothing.',
    '',
    'The paths below `/hooks/` are secrets: who has one can place orders. The exchange logs none of them. Switch off the log of paths',
    'in the proxies in front of it, at least for these.',
    '',
    'If all processes run as one system user on one machine, an attacker who takes over a process can read all files of that user, the',
    'password of an embedded database included: separate database users then protect only against injected SQL. Give production a',
    'database server of its own.',
    '',
    'The witness is a file that records up to where the journal was acknowledged, so that a restored or different database is noticed.',
    'Production does not start on existing data if the witness is missing, damaged, or ahead of the database: bring the right one back, or',
    'accept the database with `candor witness accept`, after which everything acknowledged beyond it is lost. `CANDOR_WITNESS` names its',
    'folder. Never copy or restore that folder together with the database, and put it on another disk if there is one. A backup does not',
    'contain it, nor the server key: see [backup and restore](backup.md).',
    '',
    'The mode is a property of the data, not a setting of a start: see `FUNDS-MODE-001` in [funds](spec/funds.md).',
    '',
  ].join('\n')
}

function hereAndNow(): Surroundings {
  return { uid: process.getuid?.(), environment: process.env, flags: process.execArgv }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}

/** Whether a file that belongs to the data, or settings read from inside its folder, contain one of the keys. */
function liesBesideData({ serverKey, serverKeyFile, dataFolder }: Settings): boolean {
  if (serverKey === undefined) return false
  if (serverKeyFile !== undefined && isInside(serverKeyFile, dataFolder)) return true
  const keys = serverKey.toLowerCase().split(',')
  return ['.env', 'candor.config.json', 'server.key']
    .map((name) => join(dataFolder, name))
    .filter((path) => existsSync(path))
    .some((path) => keys.some((key) => readFileSync(path, 'utf8').toLowerCase().includes(key)))
}

/** Whether a path is the folder, or lies in it; links are followed. */
function isInside(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path))
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path))
}

const databasesOf = ({ databaseUrl, roleUrls = {} }: Settings): readonly string[] =>
  [databaseUrl, ...Object.values(roleUrls)].filter((url) => url !== undefined)

const hasTwice = (names: readonly string[]): boolean => new Set(names).size < names.length

/** Whether data sent to this address can be read on the way. */
function isOpenTo(url: string, safeProtocol: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol !== safeProtocol && !isLoopback(hostname)
}

/** Whether others can read what is sent to this bus, or send to it themselves. On this machine its user and password suffice. */
function isOpenBus(address: string): boolean {
  const url = new URL(address.trim())
  return isOpenTo(url.href, 'tls:') || url.username === '' || url.password === ''
}

/** The widest networks that are all an operator's own are 10.0.0.0/8 and fc00::/7. */
function isWide(network: string): boolean {
  const { address, bits } = parseNetwork(network) ?? { address: '', bits: 0 }
  return bits < (isIPv4(address) ? 8 : 7)
}

/**
 * A socket file or this machine needs no TLS. Any other address must verify the server's certificate. An address that names a setting
 * twice counts as plain, because the driver may read the other one. Without a host the driver takes that of the environment.
 */
function isPlainDatabase(url: string, environment: Surroundings['environment']): boolean {
  const { hostname, searchParams } = new URL(url)
  if (hasTwice([...searchParams.keys()])) return true
  const host = searchParams.get('host') || hostname || (environment['PGHOST'] ?? '')
  return !(host === '' || host.startsWith('/') || isLoopback(host)) && searchParams.get('sslmode') !== 'verify-full'
}
