/** The exchange on the machines. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tidy/files.ts'
import { databaseUrl, entryUrl, type Machine, natsUrl, ports, type Secrets } from '../texts/layout.ts'
import type { Keeper } from './keeper.ts'
import type { Network } from './network.ts'
import { familyOf, wordsOf } from './processes.ts'
import { until } from './until.ts'

export type Role = 'engine' | 'gateway' | 'follower'
const roles: readonly Role[] = ['engine', 'follower', 'gateway']

export type Exchange = {
  /** Its process on that machine; undefined when it does not run there, or is down. */
  pid(role: Role, machine: Machine): number | undefined
  /** The machine whose engine decides; undefined while none does. */
  leader(): Machine | undefined | Promise<Machine | undefined>
  /** Settings of a machine, as environment. */
  settings(machine: Machine): Readonly<Record<string, string>>
  /** Ends a role in good order; it is started again. */
  restart(role: Role, machine: Machine): Promise<void>
  /** Waits until every gateway that there should be takes orders. */
  untilHealthy(maxMs: number): Promise<void>
}

type Ground = { readonly network: Network; readonly secrets: Secrets; readonly keeper: Keeper; readonly say: (line: string) => void }

const startMaxMs = 240_000

/** Starts the exchange and waits until it takes orders on every machine that has a gateway. */
export async function startExchange(ground: Ground, kind: 'tree' | 'roles', hasBots: boolean): Promise<Exchange> {
  const { network, keeper, say } = ground
  const [first] = network.machines
  const settings = (machine: Machine) => settingsOf(ground, machine, hasBots)
  for (const machine of network.machines) {
    mkdirSync(settings(machine).CANDOR_DATA, { recursive: true, mode: 0o700 })
    writeFileSync(settingsFile(machine), lines(settings(machine)), { mode: 0o600 })
  }
  const candor = [process.execPath, join(root, 'server', 'main', 'candor.ts'), 'start']
  const start = (name: string, machine: Machine, words: readonly string[]): void =>
    keeper.start({ name: `${machine.name} ${name}`, machine, command: [...candor, ...words], environment: settings(machine) })
  const gateways = kind === 'tree' ? [first!] : network.machines
  const untilHealthy = async (maxMs: number): Promise<void> => {
    for (const machine of gateways)
      await until(`the gateway of ${machine.name} takes orders`, maxMs, () => isHealthy(machine, ports.gateway))
    for (const machine of network.machines) await until(`the entry of ${machine.name}`, maxMs, () => isHealthy(machine, ports.entry))
  }
  say(kind === 'tree' ? `Starting the exchange on ${first!.name} …` : 'Starting engines, followers and gateways …')
  if (kind === 'tree') start('exchange', first!, [])
  else for (const role of roles) for (const machine of network.machines) start(role, machine, ['--role', role])
  await untilHealthy(startMaxMs)
  const pid = (role: Role, machine: Machine): number | undefined =>
    kind === 'roles' ? keeper.pid(`${machine.name} ${role}`) : pidInTree(keeper.pid(`${machine.name} exchange`), role)
  const restart = (role: Role, machine: Machine): Promise<void> =>
    keeper.restart(kind === 'roles' ? `${machine.name} ${role}` : `${machine.name} exchange`)
  const leader = (): Machine | undefined => first
  return { pid, leader, settings, restart, untilHealthy }
}

/** The settings of a machine as a file, for `candor` commands of people. */
export const settingsFile = ({ folder }: Pick<Machine, 'folder'>): string => join(folder, 'candor.env')

const lines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

function settingsOf({ network, secrets }: Ground, machine: Machine, hasBots: boolean) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: machine.folder,
    HOST: machine.address,
    PORT: String(ports.gateway),
    CANDOR_DATA: join(machine.folder, 'candor'),
    DATABASE_URL: databaseUrl(machine, secrets),
    NATS_URL: natsUrl(network),
    CANDOR_SERVER_KEY: secrets.serverKey,
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

async function isHealthy({ address }: Machine, port: number): Promise<boolean> {
  return (await fetch(`http://${address}:${port}/healthz`, { signal: AbortSignal.timeout(1_000) })).ok
}
