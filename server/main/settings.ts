import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { unservedCountries } from '@candor/core/protocol/countries.ts'
import { type Mode, modes } from '@candor/core/protocol/command/mode.ts'
import { isBusUrl } from '../bus/bus.ts'
import { parseNetwork } from '../http/proxies.ts'
import { feedMode, type FeedMode } from '../feeds/mode.ts'
import { isRatesSource, ratesUrlOf } from '../rates/source.ts'
import { databaseRoles } from '../store/rights.ts'
import { type GivenUrls, settingOf } from '../store/roles.ts'
import { placeIn } from '../papers/photo-place.ts'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** A setting is missing or wrong. The message is complete: the operator needs nothing else. */
export class SettingsFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SettingsFault'
  }
}

export type Settings = {
  readonly mode: Mode
  /** Settings left out whose values follow from the mode. If the data has a mode of its own, they are derived again from that. */
  readonly unset?: readonly ('mode' | 'feed' | 'bots' | 'testChains')[]
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  /** Folder of the witness; undefined: the data folder. */
  readonly witnessFolder?: string | undefined
  /** URL for the owner's database user; in a role's own process, that of its role. */
  readonly databaseUrl: string | undefined
  /** URLs for database users that the operator created, by role. */
  readonly roleUrls?: GivenUrls | undefined
  /** The bus by which roles on several machines talk; undefined: all run on this machine. */
  readonly natsUrl?: string | undefined
  readonly feed: FeedMode
  readonly hasBots: boolean
  /** Address of the file with reference rates; undefined: none are fetched. */
  readonly ratesUrl?: string | undefined
  readonly seed: string
  readonly publicUrls: readonly string[]
  /** The operators' console by a port of its own, then by no other; undefined: it shares the port of the exchange. */
  readonly consolePort?: number | undefined
  /** The address of the console, if it is not that of the exchange. */
  readonly consoleUrl?: string | undefined
  /** Networks of the operator's own proxies; undefined: not stated, which means none. */
  readonly trustedProxies: readonly string[] | undefined
  /** Host names that requests may use besides those of the public addresses. */
  readonly hosts?: readonly string[] | undefined
  readonly metricsToken: string | undefined
  /** Requests that take longer, in milliseconds, are logged; 0: none. */
  readonly slowMs?: number | undefined
  /** Address of a collector of traces that speaks OTLP over HTTP; undefined: nothing is traced. */
  readonly traces?: string | undefined
  /** 64 hexadecimal digits. */
  readonly serverKey: string | undefined
  /** The file that the server key was read from, if it was one. */
  readonly serverKeyFile?: string | undefined
  readonly smtpUrl: string | undefined
  readonly smsUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly phoneCountries: readonly string[] | undefined
  /** Countries whose residents get no account. */
  readonly unservedCountries?: readonly string[] | undefined
  /** Where encrypted photos are kept: a folder, or a bucket with its keys; undefined: beside the data. */
  readonly photos?: string | undefined
  /** Where customers write to: a mail address or a URL. */
  readonly support?: string | undefined
  /** Folder with the file of networks, and the keys of processes that sign for the signer; undefined: no coins come or go. */
  readonly chainsFolder?: string | undefined
  /** Sandbox: test chains and a signer start with it. */
  readonly hasTestChains?: boolean
  /** Sockets that one address may have open at the same time. */
  readonly socketsPerAddress?: number | undefined
  /** USDT that one member of the staff may propose to post by hand on a UTC day; undefined: the usual cap. */
  readonly postingsPerDay?: number | undefined
  /** Where backups go and come from: file:///folder, or a bucket with its keys. */
  readonly backupTo?: string | undefined
  /** 64 hexadecimal digits; undefined: in a file beside the data folder. */
  readonly backupKey?: string | undefined
  /** Folder for the backup that an upgrade makes first, or off; undefined: beside the data folder. */
  readonly upgradeBackup?: string | undefined
  /** Tests only, in no environment: push services may be on this machine. */
  readonly hasLoopbackPush?: boolean
  readonly logLevel: string
}

const text = z.string().trim().min(1)
const tracesPrefix = 'otlp-http '
const onOff = z.enum(['on', 'off'])
const database = z.url({ protocol: /^postgres(ql)?$/ })

function isPlace(text: string): boolean {
  try {
    placeIn('.', text)
    return true
  } catch {
    return false
  }
}

const port = z
  .string()
  .regex(/^[0-9]{1,5}$/)
  .transform(Number)
  .pipe(z.int().max(65_535))

/** Every setting by its environment variable. `.env.example` explains each. */
const known = z.strictObject({
  PORT: port.default(3_000),
  HOST: text.default('127.0.0.1'),
  CANDOR_DATA: text.default('./data'),
  CANDOR_WITNESS: text.optional(),
  DATABASE_URL: database.optional(),
  CANDOR_DATABASE_URL_ENGINE: database.optional(),
  CANDOR_DATABASE_URL_FOLLOWER: database.optional(),
  CANDOR_DATABASE_URL_GATEWAY: database.optional(),
  CANDOR_DATABASE_URL_BACKUP: database.optional(),
  NATS_URL: text.refine(isBusUrl, { error: 'nats://USER:PASSWORD@HOST:PORT, or tls://…, with commas between servers' }).optional(),
  CANDOR_MODE: z.enum(modes).optional(),
  CANDOR_FEED: text.optional(),
  CANDOR_BOTS: onOff.optional(),
  CANDOR_RATES: text.refine(isRatesSource, { error: 'an https address, or off' }).optional(),
  CANDOR_SEED: text.optional(),
  CANDOR_PUBLIC_URL: text.optional(),
  CANDOR_CONSOLE_PORT: port.refine((number) => number > 0).optional(),
  CANDOR_CONSOLE_URL: text.optional(),
  CANDOR_TRUSTED_PROXIES: text.optional(),
  CANDOR_HOSTS: text.optional(),
  CANDOR_METRICS_TOKEN: text.optional(),
  CANDOR_SLOW_MS: z
    .string()
    .regex(/^[0-9]{1,6}$/)
    .transform(Number)
    .optional(),
  CANDOR_TRACES: z
    .string()
    .regex(/^otlp-http https?:\/\/\S+$/, { error: 'otlp-http and the address of a collector' })
    .refine((given) => URL.canParse(given.slice(tracesPrefix.length)), { error: 'not an address' })
    .optional(),
  CANDOR_SERVER_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}(,[0-9a-fA-F]{64})*$/)
    .optional(),
  CANDOR_SOCKETS_PER_ADDRESS: z
    .string()
    .regex(/^[1-9][0-9]{0,5}$/)
    .transform(Number)
    .optional(),
  CANDOR_POSTINGS_PER_DAY: z
    .string()
    .regex(/^[1-9][0-9]{0,11}$/, { error: 'whole USDT' })
    .transform(Number)
    .optional(),
  CANDOR_LOG: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  CANDOR_PHONE_COUNTRIES: text.optional(),
  CANDOR_UNSERVED_COUNTRIES: z
    .string()
    .regex(/^(none|[A-Z]{2}(,[A-Z]{2})*)$/, { error: 'countries by two capital letters with commas between, or none' })
    .optional(),
  CANDOR_CHAINS: text.optional(),
  CANDOR_TEST_CHAINS: onOff.optional(),
  CANDOR_PHOTOS: text.refine(isPlace, { error: 'a folder, or s3+https://KEY_ID:SECRET@HOST/BUCKET' }).optional(),
  CANDOR_BACKUP_TO: text.optional(),
  CANDOR_BACKUP_KEY: text.optional(),
  CANDOR_UPGRADE_BACKUP: text.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  MAIL_FROM: text.optional(),
  CANDOR_SUPPORT: z.union([z.email(), z.url({ protocol: /^https$/ })]).optional(),
})
export const settingNames = Object.keys(known.shape) as readonly (keyof z.input<typeof known>)[]

/** Reads the environment first, then `.env`, then `candor.config.json`, both in the folder where the command runs. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Settings {
  const given: Record<string, string> = {}
  const [config, dotEnv] = [join(folder, 'candor.config.json'), join(folder, '.env')]
  let serverKeyFile: string | undefined
  for (const [source, file] of [[readConfig(config), config] as const, [readDotEnv(dotEnv), dotEnv] as const, [environment] as const]) {
    for (const name of settingNames) {
      const value = source[name]
      if (value === undefined || value === '') continue
      given[name] = String(value)
      if (name === 'CANDOR_SERVER_KEY') serverKeyFile = file
    }
  }
  const read = known.safeParse(given)
  if (!read.success) {
    const issue = read.error.issues[0]!
    throw new SettingsFault(`${issue.path.join('.')} is not valid: ${issue.message}`)
  }
  return { ...settingsOf(read.data, folder), ...(serverKeyFile === undefined ? {} : { serverKeyFile }) }
}

function settingsOf(given: z.output<typeof known>, folder: string): Settings {
  const mode = given.CANDOR_MODE ?? 'sandbox'
  const isSandbox = mode === 'sandbox'
  let feed: FeedMode
  try {
    feed = feedMode(given.CANDOR_FEED ?? (isSandbox ? 'auto' : 'live'))
  } catch (cause) {
    throw new SettingsFault((cause as Error).message)
  }
  return {
    mode,
    unset: [
      ...(given.CANDOR_MODE === undefined ? (['mode'] as const) : []),
      ...(given.CANDOR_FEED === undefined ? (['feed'] as const) : []),
      ...(given.CANDOR_BOTS === undefined ? (['bots'] as const) : []),
      ...(given.CANDOR_TEST_CHAINS === undefined ? (['testChains'] as const) : []),
    ],
    host: given.HOST,
    port: given.PORT,
    dataFolder: resolve(folder, given.CANDOR_DATA),
    ...(given.CANDOR_WITNESS === undefined ? {} : { witnessFolder: resolve(folder, given.CANDOR_WITNESS) }),
    databaseUrl: given.DATABASE_URL,
    roleUrls: Object.fromEntries(
      databaseRoles.flatMap((role) => (given[settingOf(role)] === undefined ? [] : [[role, given[settingOf(role)]]])),
    ),
    ...(given.NATS_URL === undefined ? {} : { natsUrl: given.NATS_URL }),
    feed,
    hasBots: (given.CANDOR_BOTS ?? (isSandbox ? 'on' : 'off')) === 'on',
    seed: given.CANDOR_SEED ?? String(Date.now()),
    publicUrls: (given.CANDOR_PUBLIC_URL ?? '')
      .split(',')
      .filter(Boolean)
      .map((url) => originOf(url, 'CANDOR_PUBLIC_URL')),
    consolePort: given.CANDOR_CONSOLE_PORT,
    consoleUrl: given.CANDOR_CONSOLE_URL && originOf(given.CANDOR_CONSOLE_URL, 'CANDOR_CONSOLE_URL'),
    trustedProxies: proxiesOf(given.CANDOR_TRUSTED_PROXIES),
    hosts: listOf(given.CANDOR_HOSTS)?.map(hostOf),
    metricsToken: given.CANDOR_METRICS_TOKEN,
    slowMs: given.CANDOR_SLOW_MS,
    traces: given.CANDOR_TRACES?.slice(tracesPrefix.length),
    serverKey: given.CANDOR_SERVER_KEY,
    smtpUrl: given.SMTP_URL,
    smsUrl: given.SMS_URL,
    mailFrom: given.MAIL_FROM,
    ratesUrl: ratesUrlOf(given.CANDOR_RATES, feed),
    phoneCountries: given.CANDOR_PHONE_COUNTRIES?.split(',').map((country) => country.trim().toUpperCase()),
    unservedCountries: unservedOf(given.CANDOR_UNSERVED_COUNTRIES),
    photos: given.CANDOR_PHOTOS && placeIn(folder, given.CANDOR_PHOTOS),
    ...(given.CANDOR_CHAINS === undefined ? {} : { chainsFolder: resolve(folder, given.CANDOR_CHAINS) }),
    hasTestChains: (given.CANDOR_TEST_CHAINS ?? (isSandbox && given.CANDOR_CHAINS === undefined ? 'on' : 'off')) === 'on',
    support: given.CANDOR_SUPPORT,
    backupTo: given.CANDOR_BACKUP_TO,
    backupKey: given.CANDOR_BACKUP_KEY,
    upgradeBackup:
      given.CANDOR_UPGRADE_BACKUP === 'off' ? 'off' : given.CANDOR_UPGRADE_BACKUP && resolve(folder, given.CANDOR_UPGRADE_BACKUP),
    socketsPerAddress: given.CANDOR_SOCKETS_PER_ADDRESS,
    postingsPerDay: given.CANDOR_POSTINGS_PER_DAY,
    logLevel: given.CANDOR_LOG,
  }
}

/**
 * The settings adapted to the mode of the data: values left out follow from that mode.
 *
 * own     mode of the data; undefined: it has none yet
 * throws  SettingsFault when a different mode was requested
 */
export function inModeOf(settings: Settings, own: Mode | undefined): Settings {
  if (own === undefined || own === settings.mode) return settings
  const { unset = [] } = settings
  if (!unset.includes('mode')) throw new SettingsFault(otherMode(own, settings.mode))
  const isSandbox = own === 'sandbox'
  return {
    ...settings,
    mode: own,
    ...(unset.includes('feed') ? { feed: feedMode(isSandbox ? 'auto' : 'live') } : {}),
    ...(unset.includes('bots') ? { hasBots: isSandbox } : {}),
    ...(unset.includes('testChains') ? { hasTestChains: isSandbox && settings.chainsFolder === undefined } : {}),
  }
}

/** One line that says why data of one mode does not start in another. */
export function otherMode(own: Settings['mode'], wanted: Settings['mode']): string {
  return `This data is a ${own === 'sandbox' ? 'sandbox' : 'production exchange'} and can't run as ${wanted}: unset CANDOR_MODE, or set CANDOR_DATA or DATABASE_URL to a new place`
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Proxies are written as a list or the word `none`, so that a forgotten setting is not taken for having none. */
function proxiesOf(text: string | undefined): readonly string[] | undefined {
  const networks = listOf(text)
  if (networks?.length === 1 && networks[0] === 'none') return []
  const wrong = networks?.find((network) => !parseNetwork(network))
  if (wrong !== undefined) throw new SettingsFault(`CANDOR_TRUSTED_PROXIES: ${wrong} is not an address or a network`)
  return networks
}

function unservedOf(text: string | undefined): readonly string[] {
  return text === 'none' ? [] : (listOf(text) ?? unservedCountries)
}

function hostOf(name: string): string {
  if (!/^[A-Za-z0-9.-]{1,253}$/.test(name) && !parseNetwork(name.replace(/^\[|\]$/g, '')))
    throw new SettingsFault(`CANDOR_HOSTS: ${name} is not a host name`)
  return name
}

function originOf(url: string, setting: 'CANDOR_PUBLIC_URL' | 'CANDOR_CONSOLE_URL'): string {
  const parsed = URL.parse(url.trim())
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) throw new SettingsFault(`${setting}: ${url} is not a URL`)
  return parsed.origin
}

export const witnessFolderOf = ({ witnessFolder, dataFolder }: Settings): string => witnessFolder ?? dataFolder

/** The settings as environment variables for a child process. */
export function environmentOf(settings: Settings): Record<string, string> {
  const optional = (name: string, value: string | undefined): Record<string, string> => (value === undefined ? {} : { [name]: value })
  return {
    PORT: String(settings.port),
    HOST: settings.host,
    CANDOR_DATA: settings.dataFolder,
    CANDOR_MODE: settings.mode,
    CANDOR_FEED: settings.feed,
    CANDOR_BOTS: settings.hasBots ? 'on' : 'off',
    CANDOR_SEED: settings.seed,
    CANDOR_LOG: settings.logLevel,
    ...optional('CANDOR_WITNESS', settings.witnessFolder),
    ...optional('DATABASE_URL', settings.databaseUrl),
    ...optional('NATS_URL', settings.natsUrl),
    ...optional('CANDOR_PUBLIC_URL', settings.publicUrls.join(',') || undefined),
    ...optional('CANDOR_CONSOLE_PORT', settings.consolePort?.toString()),
    ...optional('CANDOR_CONSOLE_URL', settings.consoleUrl),
    ...optional('CANDOR_TRUSTED_PROXIES', settings.trustedProxies && (settings.trustedProxies.join(',') || 'none')),
    ...optional('CANDOR_HOSTS', settings.hosts?.join(',')),
    ...optional('CANDOR_METRICS_TOKEN', settings.metricsToken),
    ...optional('CANDOR_SLOW_MS', settings.slowMs?.toString()),
    ...optional('CANDOR_TRACES', settings.traces && `${tracesPrefix}${settings.traces}`),
    ...optional('CANDOR_SERVER_KEY', settings.serverKey),
    CANDOR_RATES: settings.ratesUrl ?? 'off',
    ...optional('CANDOR_PHONE_COUNTRIES', settings.phoneCountries?.join(',')),
    ...optional('CANDOR_UNSERVED_COUNTRIES', settings.unservedCountries && (settings.unservedCountries.join(',') || 'none')),
    ...optional('CANDOR_CHAINS', settings.chainsFolder),
    CANDOR_TEST_CHAINS: settings.hasTestChains === true ? 'on' : 'off',
    ...optional('CANDOR_PHOTOS', settings.photos),
    ...optional('CANDOR_SUPPORT', settings.support),
    ...optional('CANDOR_UPGRADE_BACKUP', settings.upgradeBackup),
    ...optional('CANDOR_SOCKETS_PER_ADDRESS', settings.socketsPerAddress?.toString()),
    ...optional('CANDOR_POSTINGS_PER_DAY', settings.postingsPerDay?.toString()),
    ...optional('SMTP_URL', settings.smtpUrl),
    ...optional('SMS_URL', settings.smsUrl),
    ...optional('MAIL_FROM', settings.mailFrom),
  }
}

function readDotEnv(file: string): Record<string, string | undefined> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

function readConfig(file: string): Record<string, unknown> & Record<string, string> {
  if (!existsSync(file)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object')
    const stranger = Object.keys(value).find((name) => !(settingNames as readonly string[]).includes(name))
    if (stranger) throw new Error(`there is no setting ${stranger}`)
    return value as Record<string, string>
  } catch (cause) {
    throw new SettingsFault(`candor.config.json can't be read: ${(cause as Error).message}`)
  }
}

/** Version and commit of this process, for screens and logs. A release has both in a file of its own. */
export function readVersion(): { readonly version: string; readonly commit: string } {
  const released = join(root, 'release.json')
  if (existsSync(released)) return JSON.parse(readFileSync(released, 'utf8')) as { version: string; commit: string }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  let commit = process.env['CANDOR_COMMIT'] ?? ''
  if (commit === '') {
    try {
      commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
    } catch {
      commit = 'unknown'
    }
  }
  return { version, commit }
}
