/**
 * The parts that every role and command shares. Each role starts from its own file in `role/`, so that a process does not load the
 * code of the others.
 */
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { openBus } from '../bus/bus.ts'
import { dialLeader } from '../engine/bus/dial-leader.ts'
import { busPeers } from '../engine/bus/witness-peers.ts'
import { connectLink } from '../engine/connect-link.ts'
import type { Link } from '../engine/link.ts'
import { linkPath } from '../engine/link-path.ts'
import { dialSocket } from '../engine/link/wire.ts'
import { Argon } from '../identity/argon.ts'
import { Identity } from '../identity/identity.ts'
import { Witness } from '../journal/witness.ts'
import { openStore, type Store } from '../store/open.ts'
import { serverKeysOf } from './server-key.ts'
import { type Settings, witnessFolderOf } from './settings.ts'

/** The sandbox keeps the index tape as long as its journal: seven days. Production keeps both for ever. */
const sandboxTapeMs = 7 * 86_400_000

/** How long a command with an id waits for an engine that leads: longer than a standby takes to replace one. */
const resendMs = 8_000

/** How long ticks of the index tape stay in their table; undefined: for ever. */
export function tapeKeptMs({ mode }: Settings): number | undefined {
  return mode === 'sandbox' ? sandboxTapeMs : undefined
}

/** The parts that a role needs to run, in its own process or a shared one. */
export type Ground = { readonly settings: Settings; readonly store: Store; readonly logger: Logger }

export function makeLogger(settings: Settings, name: string): Logger {
  return pino({ name, level: settings.logLevel, redact: ['err.parameters', 'password', 'token', 'cookie'] }, pino.destination(1))
}

export function makeIdentity(
  { settings, store, logger }: Ground,
  link: Pick<Link, 'submit' | 'ask'>,
  messages: ConstructorParameters<typeof Identity>[0]['messages'],
  argon = new Argon(),
  documentOf?: (account: string) => Promise<string | undefined>,
): Identity {
  return new Identity({
    store,
    submit: link.submit,
    openOrders: (user) => link.ask.openOrders(user),
    messages,
    argon,
    mode: settings.mode,
    serverKeys: serverKeysOf(settings),
    publicUrl: publicUrlOf(settings),
    unservedCountries: settings.unservedCountries,
    ...(documentOf ? { documentOf } : {}),
    ...(settings.phoneCountries ? { phoneCountries: settings.phoneCountries } : {}),
    onFault: (cause) => logger.warn({ err: cause }, 'identity could not do what it was asked'),
  })
}

/** The address with which links in mails begin. */
export function publicUrlOf({ publicUrls, host, port }: Settings): string {
  return publicUrls[0] ?? namedUrl(`http://${host}:${port}`)
}

/** The address with which links to the operators' console begin. */
export function consoleUrlOf(settings: Settings): string {
  const { consoleUrl, consolePort, publicUrls, host } = settings
  if (consoleUrl !== undefined) return consoleUrl
  return consolePort === undefined || publicUrls.length > 0 ? publicUrlOf(settings) : namedUrl(`http://${host}:${consolePort}`)
}

/** The same page of this machine by its name: browsers make no passkeys for a page at a bare IP address. */
export function namedUrl(url: string): string {
  return url.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=:|$)/, 'http://localhost')
}

export type ReachOptions = {
  /** Name of this process on the bus. */
  readonly name?: string
  /** The process keeps what it saw acknowledged, as engines do, if these are on other machines: a witness of a database that is set back. */
  readonly onWitnessFault?: (cause: unknown) => void
}

/** A link to the engine in another process, on this machine or on the bus. Resolves once an engine answers. */
export async function reachEngine(settings: Settings, { name = 'candor', onWitnessFault }: ReachOptions = {}): Promise<Link> {
  if (settings.natsUrl === undefined) return connectLink(dialSocket(linkPath(settings.dataFolder)))
  await using parts = new AsyncDisposableStack()
  const witness =
    onWitnessFault === undefined ? undefined : parts.use(await Witness.open(join(witnessFolderOf(settings), name), onWitnessFault))
  const bus = parts.use(await openBus({ url: settings.natsUrl, name }))
  if (witness !== undefined) busPeers(bus).answer(() => witness.seen)
  const dial = dialLeader(bus, ({ epoch, seq, hash }) => witness?.note(epoch, { seq, hash }))
  return connectLink(dial, { resendMs, owned: parts.move() })
}

export function reachStore(settings: Settings): Promise<Store> {
  return openStore({ dataFolder: settings.dataFolder, databaseUrl: settings.databaseUrl })
}
