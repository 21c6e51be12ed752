/** A cluster of three machines on this host. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseUrl, entryUrl, type Machine, type Secrets } from '../texts/layout.ts'
import { etcdApi } from '../texts/patroni.ts'
import { startBasics, startPatroni, untilBasics } from './basics.ts'
import { type Exchange, startExchange } from './exchange.ts'
import { endFamily, endLeft, Keeper, readState } from './keeper.ts'
import { layNetwork, type Network, removeNetwork } from './network.ts'
import { missingPackages, patroniVersion } from './packages.ts'
import { isAlive } from './processes.ts'
import { postmasterOf, provideDatabase, untilReplicated } from './postgres.ts'
import { until } from './until.ts'

export type ClusterOptions = {
  readonly folder: string
  /** `tree`: one whole exchange on the first machine. `roles`: engine, gateway and follower on each. */
  readonly exchange: 'tree' | 'roles' | 'none'
  readonly isLoopback: boolean
  readonly hasBots: boolean
  readonly say: (line: string) => void
}

export type Cluster = AsyncDisposable & {
  readonly network: Network
  readonly secrets: Secrets
  readonly keeper: Keeper
  readonly exchange: Exchange | undefined
  readonly isRoles: boolean
  readonly say: (line: string) => void
}

const readyMaxMs = 90_000

/**
 * Starts a cluster and waits until it is whole.
 *
 * throws  Error when packages are missing, another cluster runs here, or a part does not become ready
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, say } = options
  const missing = missingPackages()
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}. As root: npm run cluster -- up --install`)
  refuseSecond(folder)
  const parts = new AsyncDisposableStack()
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const network = layNetwork(folder, options.isLoopback)
    parts.defer(() => network.remove())
    const { machines } = network
    say(network.isSeparate ? 'Each machine is a network namespace.' : 'The machines share the loopback network: none can be cut off.')
    const secrets = secretsIn(folder)
    const keeper = new Keeper(folder, network, say)
    parts.defer(() => endPostmasters(machines))
    parts.use(keeper)
    say('Starting etcd, NATS and HAProxy …')
    for (const machine of machines) startBasics(keeper, network, machine, secrets)
    await untilBasics(machines, readyMaxMs)
    say(`Starting PostgreSQL under ${patroniVersion()} with the API ${etcdApi(patroniVersion())} …`)
    for (const machine of machines) startPatroni(keeper, network, machine, secrets)
    const primary = await untilReplicated(machines, secrets, readyMaxMs)
    await until('HAProxy finds the primary', readyMaxMs, async () => {
      for (const machine of machines) await provideDatabase(machine, secrets)
      return true
    })
    say(`${primary.name} has the primary.`)
    const ground = { network, secrets, keeper, say }
    const exchange =
      options.exchange === 'none' ? undefined : await startExchange(ground, { kind: options.exchange, hasBots: options.hasBots })
    const owned = parts.move()
    return { ...ground, exchange, isRoles: options.exchange === 'roles', [Symbol.asyncDispose]: () => owned.disposeAsync() }
  } catch (cause) {
    await parts.disposeAsync()
    throw cause
  }
}

/** Stops a cluster from another process. False when there was none. */
export async function stopCluster(folder: string): Promise<boolean> {
  const state = readState(folder)
  if (state === undefined) return false
  if (isAlive(state.rig)) {
    process.kill(state.rig.pid, 'SIGTERM')
    await until('the cluster stops', readyMaxMs, () => !isAlive(state.rig))
  }
  const left = readState(folder)
  if (left !== undefined) await endLeft(folder, left)
  await endPostmasters(machinesIn(folder))
  // A rig that stopped by itself has done so; another cluster of this host may have the same names.
  if (left?.isSeparate === true) removeNetwork()
  return true
}

const machinesIn = (folder: string): readonly Machine[] =>
  ['m1', 'm2', 'm3'].map((name) => ({ name, address: '', folder: join(folder, name) }))

function refuseSecond(folder: string): void {
  const state = readState(folder)
  if (state !== undefined) throw new Error(`a cluster runs in ${folder}, or was killed: npm run cluster -- down`)
}

/** Patroni that was killed leaves its PostgreSQL running. */
async function endPostmasters(machines: readonly Machine[]): Promise<void> {
  for (const machine of machines) {
    const pid = postmasterOf(machine)
    if (pid !== undefined) await endFamily(pid)
  }
}

/** Drawn by the first start. */
function secretsIn(folder: string): Secrets {
  const file = join(folder, 'secrets.json')
  if (!existsSync(file)) {
    const draw = (): string => randomBytes(16).toString('hex')
    const drawn: Secrets = {
      ...{ superuser: draw(), replicator: draw(), rewind: draw(), candor: draw(), metrics: draw() },
      bus: { engine: draw(), follower: draw(), gateway: draw(), routes: draw() },
      serverKey: randomBytes(32).toString('hex'),
    }
    writeFileSync(file, JSON.stringify(drawn), { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Secrets
}

export const entriesOf = ({ network }: Pick<Cluster, 'network'>): readonly string[] => network.machines.map(entryUrl)

export const databaseOf = ({ network, secrets }: Pick<Cluster, 'network' | 'secrets'>): string => databaseUrl(network.machines[0]!, secrets)
