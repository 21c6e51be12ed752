/** The exchange on the machines. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tidy/files.ts'
import { databaseUrl, entryUrl, type Machine, natsUrl, ports, type Secrets } from '../texts/layout.ts'
import { engineStateOf, leaderOf } from './engines.ts'
import type { Keeper } from './keeper.ts'
import type { Network } from './network.ts'
import { familyOf, wordsOf } from './processes.ts'
import { until } from './until.ts'

export const roles = ['engine', 'follower', 'gateway'] as const
export type Role = (typeof roles)[number]

export type Exchange = AsyncDisposable & {
  /** Its process on that machine; undefined when it does not run there, or is down. */
  pid(role: Role, machine: Machine): number | undefined
  /** Processes of all machines. */
  pids(): Readonly<Record<string, readonly number[]>>
  /** Addresses of all gateways, past HAProxy. */
  gateways(): readonly string[]
  /** The machine whose engine decides; undefined while none does. */
  leader(): Machine | undefined
  /** Settings of a machine, as environment. */
  settings(machine: Machine): Readonly<Record<string, string>>
  /** Ends a role in good order; it is started again. */
  restart(role: Role, machine: Machine): Promise<void>
  /** Waits until every gateway that there should be takes orders. */
  untilHealthy(maxMs: number): Promise<void>
}

export type ExchangeOptions = {
  /** `tree`: one whole exchange on the first machine. `roles`: engine, follower and gateway on each. */
  readonly kind: 'tree' | 'roles'
  readonly hasBots: boolean
  /** Of `roles`: how many gateways there are, one on each machine before a second one on any; undefined: one on each. */
  readonly gateways?: number
}

type Ground = { readonly network: Network; readonly secrets: Secrets; readonly keeper: Keeper; readonly say: (line: string) => void }
type Gateway = { readonly program: string; readonly machine: Machine; readonly port: number }

const startMaxMs = 240_000
/** A gateway waits up to a second for a check. */
const askMs = 3_000

/**
 * Starts the exchange and waits until all its gateways take orders. Roles need tables, and the same key of heads on all machines: both
 * are made by a first start of the whole exchange on one machine.
 */
export async function startExchange(ground: Ground, { kind, hasBots, gateways: count = 3 }: ExchangeOptions): Promise<Exchange> {
  const { network, keeper, say } = ground
  const { machines } = network
  const settings = (machine: Machine) => settingsOf(ground, machine, { kind, hasBots })
  for (const machine of machines) {
    mkdirSync(settings(machine).CANDOR_DATA, { recursive: true, mode: 0o700 })
    writeFileSync(settingsFile(machine), lines(settings(machine)), { mode: 0o600 })
  }
  const started: string[] = []
  const start = (program: string, machine: Machine, words: readonly string[], more: Readonly<Record<string, string>> = {}): void => {
    const name = `${machine.name} ${program}`
    const command = [process.execPath, join(root, 'server', 'main', 'candor.ts'), 'start', ...words]
    keeper.start({ name, machine, command, environment: { ...settings(machine), ...more } })
    started.push(name)
  }
  const gateways = kind === 'tree' ? [{ program: 'exchange', machine: machines[0]!, port: ports.gateway }] : gatewaysOf(machines, count)
  if (kind === 'roles') await makeHeadKeys(ground)
  say(kind === 'tree' ? `Starting the exchange on ${machines[0]!.name} …` : `Starting engines, followers and ${count} gateways …`)
  if (kind === 'tree') start('exchange', machines[0]!, [])
  else {
    for (const role of ['engine', 'follower'] as const)
      for (const machine of machines) start(role, machine, ['--role', role], { NATS_URL: natsUrl(network, ground.secrets, role, 'nats') })
    for (const { program, machine, port } of gateways) {
      // Each keeps a witness of its own.
      const witness = join(machine.folder, `witness-${program}`)
      mkdirSync(witness, { recursive: true, mode: 0o700 })
      start(program, machine, ['--role', 'gateway'], { PORT: String(port), CANDOR_WITNESS: witness })
    }
  }
  const states = () => new Map(machines.map((machine) => [machine, engineStateOf(machine, pid('engine', machine))]))
  const untilHealthy = async (maxMs: number): Promise<void> => {
    for (const { program, machine, port } of gateways)
      await until(`${program} of ${machine.name} takes orders`, maxMs, () => isHealthy(machine, port, ground.secrets.metrics))
    for (const machine of machines)
      await until(`the entry of ${machine.name}`, maxMs, () => isHealthy(machine, ports.entry, ground.secrets.metrics))
    if (kind === 'tree') return
    await until('one engine leads and the others stand by', maxMs, () => {
      const found = [...states().values()].map((one) => one?.state)
      return (
        found.filter((state) => state === 'up').length === 1 && found.filter((state) => state === 'standby').length === found.length - 1
      )
    })
  }
  const nameOf = (role: Role, machine: Machine): string => `${machine.name} ${kind === 'tree' ? 'exchange' : role}`
  const pid = (role: Role, machine: Machine): number | undefined => {
    const found = keeper.pid(nameOf(role, machine))
    return kind === 'roles' ? found : pidInTree(found, role)
  }
  await untilHealthy(startMaxMs)
  return {
    pid,
    pids: () => (kind === 'tree' ? pidsOfTree(pid, machines[0]!) : pidsOf(keeper, started)),
    gateways: () => gateways.map(({ machine, port }) => `http://${machine.address}:${port}`),
    leader: () => (kind === 'tree' ? machines[0] : leaderOf(states())),
    settings,
    restart: (role, machine) => keeper.restart(nameOf(role, machine)),
    untilHealthy,
    async [Symbol.asyncDispose]() {
      for (const name of started.toReversed()) await keeper.stop(name)
    },
  }
}

/** Lets the first machine make the tables and the key, unless it has, and gives the key to the others. */
async function makeHeadKeys(ground: Ground): Promise<void> {
  const [first, ...others] = ground.network.machines.map(headKey) as [string, ...string[]]
  if (!existsSync(first)) {
    await using _ = await startExchange(ground, { kind: 'tree', hasBots: false })
  }
  for (const other of others) if (!existsSync(other)) copyFileSync(first, other)
}

const headKey = ({ folder }: Machine): string => join(folder, 'candor', 'head.key')

/** The second gateway of a machine has the next port. */
const gatewaysOf = (machines: readonly Machine[], count: number): readonly Gateway[] =>
  Array.from({ length: count }, (_, i) => {
    const turn = Math.floor(i / machines.length)
    return { program: turn === 0 ? 'gateway' : `gateway${turn + 1}`, machine: machines[i % machines.length]!, port: ports.gateway + turn }
  })

const pidsOfTree = (pid: Exchange['pid'], machine: Machine): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(roles.map((role) => [role, [pid(role, machine)].filter((one) => one !== undefined)]))

/** Names are like "m1 gateway2". */
const pidsOf = (keeper: Keeper, names: readonly string[]): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(
    roles.map((role) => [
      role,
      names
        .filter((name) => name.split(' ')[1]!.startsWith(role))
        .map((name) => keeper.pid(name))
        .filter((one) => one !== undefined),
    ]),
  )

/** The settings of a machine as a file, for `candor` commands of people. */
export const settingsFile = ({ folder }: Pick<Machine, 'folder'>): string => join(folder, 'candor.env')

const lines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

function settingsOf({ network, secrets }: Ground, machine: Machine, { kind, hasBots }: ExchangeOptions) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: machine.folder,
    HOST: machine.address,
    PORT: String(ports.gateway),
    CANDOR_DATA: join(machine.folder, 'candor'),
    DATABASE_URL: databaseUrl(machine, secrets),
    ...(kind === 'roles' ? { NATS_URL: natsUrl(network, secrets, 'gateway', 'nats') } : {}),
    CANDOR_SERVER_KEY: secrets.serverKey,
    CANDOR_METRICS_TOKEN: secrets.metrics,
    CANDOR_MODE: 'sandbox',
    CANDOR_FEED: 'simulated',
    CANDOR_SEED: '1',
    CANDOR_RATES: 'off',
    CANDOR_BOTS: hasBots ? 'on' : 'off',
    CANDOR_TEST_CHAINS: 'off',
    CANDOR_PUBLIC_URL: network.machines.map(entryUrl).join(','),
    CANDOR_TRUSTED_PROXIES: network.network,
  }
}

/** The role's process below the supervisor. */
function pidInTree(supervisor: number | undefined, role: Role): number | undefined {
  if (supervisor === undefined) return undefined
  return familyOf(supervisor).find((pid) => {
    const words = wordsOf(pid)
    return words.at(-1) === role && words.at(-2)?.endsWith('process.ts') === true
  })
}

/** throws Error with what is missing, which only the bearer of the token is told */
async function isHealthy({ address }: Machine, port: number, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://${address}:${port}/healthz`, { headers, signal: AbortSignal.timeout(askMs) })
  if (!answer.ok) throw new Error(await answer.text())
  return true
}
