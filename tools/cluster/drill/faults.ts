import type { Cluster } from '../machines/cluster.ts'
import type { Role } from '../machines/exchange.ts'
import { movePrimary, postmasterOf, primaryOf } from '../machines/postgres.ts'
import { signalFamily, signalOne } from '../machines/processes.ts'
import { until } from '../machines/until.ts'
import type { Machine } from '../texts/layout.ts'
import { upgrade } from './upgrade.ts'

/** What a round does, and how it ends. */
export type Strike = {
  /** In the log: what was hit. */
  readonly what: string
  /** Ends the fault; undefined when it mends itself. */
  readonly heal?: () => void
  /** The fault lasts until orders are taken again, and at least this long. */
  readonly lastsMs?: number
  /** Orders can't be taken while it lasts, so that it ends after `lastsMs`. */
  readonly isOutage?: boolean
}

export type Fault = {
  readonly name: string
  readonly rounds: number
  /** Longest time without orders that docs/cluster.md promises. */
  readonly promiseMs: number
  /** Why it can't be tried on this cluster; undefined when it can. */
  readonly cannot: (cluster: Cluster) => string | undefined
  readonly strike: (cluster: Cluster, round: number) => Promise<Strike>
}

const processMs = 5_000
const databaseMs = 30_000
const [many, few] = [20, 5]
const freezeMs = 10_000
/** Longer than Patroni keeps a leader key that is not renewed. */
const longFreezeMs = 15_000

const always = (): undefined => undefined
const onlyRoles = ({ isRoles }: Cluster): string | undefined => (isRoles ? undefined : 'there is one exchange: nobody takes over')
const nats = ({ isRoles }: Cluster): string | undefined => (isRoles ? undefined : 'one exchange does not use NATS')
const separate = ({ network }: Cluster): string | undefined => (network.isSeparate ? undefined : 'the machines share a network')

/** All faults, in the order in which they are tried. */
export const faults: readonly Fault[] = [
  ...role('engine', 'engine leader', leader, many),
  ...role('engine', 'standby engine', standby, few),
  ...role('gateway', 'gateway', turn, few),
  ...role('follower', 'follower', turn, few),
  ...database('PostgreSQL primary', primary, many, false),
  ...database('PostgreSQL primary with its Patroni', primary, few, true),
  ...database('PostgreSQL standby', replica, few, false),
  ...database('PostgreSQL standby with its Patroni', replica, few, true),
  {
    ...{ name: 'move the primary', rounds: few, promiseMs: processMs, cannot: always },
    strike: async ({ network: { machines }, secrets }) => {
      await movePrimary(machines, secrets)
      return { what: 'as before an upgrade' }
    },
  },
  ...program('etcd', always),
  ...program('nats', nats),
  ...wholeNats(),
  partition('machine of the primary', primary),
  partition('machine of a standby', replica),
  {
    ...{ name: 'rolling upgrade', rounds: few, promiseMs: processMs, cannot: always },
    strike: async (cluster) => ({ what: await upgrade(cluster) }),
  },
]

/** Faults by their names, or by parts of them: a whole name means only that one. */
export function faultsNamed(parts: readonly string[]): readonly Fault[] {
  const isWhole = (part: string): boolean => faults.some(({ name }) => name === part)
  return faults.filter(({ name }) => parts.some((part) => (isWhole(part) ? name === part : name.includes(part))))
}

type Choose = (cluster: Cluster, round: number) => Machine | Promise<Machine>

function role(which: Role, called: string, choose: Choose, rounds: number): readonly Fault[] {
  const find = async (cluster: Cluster, round: number) => {
    const machine = await choose(cluster, round)
    return { machine, pid: await until(`${which} of ${machine.name}`, processMs, () => cluster.exchange?.pid(which, machine)) }
  }
  return [
    {
      ...{ name: `kill ${called}`, rounds, promiseMs: processMs, cannot: called === 'standby engine' ? onlyRoles : always },
      async strike(cluster, round) {
        const { machine, pid } = await find(cluster, round)
        signalOne(pid, 'SIGKILL')
        return { what: `${which} of ${machine.name}` }
      },
    },
    {
      ...{ name: `freeze ${called}`, rounds, promiseMs: processMs, cannot: which === 'follower' ? always : onlyRoles },
      async strike(cluster, round) {
        const { machine, pid } = await find(cluster, round)
        signalOne(pid, 'SIGSTOP')
        return { what: `${which} of ${machine.name}`, heal: () => signalOne(pid, 'SIGCONT'), lastsMs: freezeMs }
      },
    },
  ]
}

function database(called: string, choose: Choose, rounds: number, isWithPatroni: boolean): readonly Fault[] {
  const send = async (cluster: Cluster, round: number, signal: NodeJS.Signals) => {
    const machine = await choose(cluster, round)
    const patroni = isWithPatroni ? cluster.keeper.pid(`${machine.name} patroni`) : undefined
    const postmaster = postmasterOf(machine)
    if (patroni !== undefined) signalOne(patroni, signal)
    if (postmaster !== undefined) signalFamily(postmaster, signal)
    const heal = (): void => {
      if (postmaster !== undefined) signalFamily(postmaster, 'SIGCONT')
      if (patroni !== undefined) signalOne(patroni, 'SIGCONT')
    }
    return { what: `PostgreSQL of ${machine.name}`, heal, lastsMs: longFreezeMs }
  }
  const common = { rounds, promiseMs: databaseMs, cannot: always }
  return [
    { name: `kill ${called}`, ...common, strike: async (cluster, round) => ({ what: (await send(cluster, round, 'SIGKILL')).what }) },
    { name: `freeze ${called}`, ...common, strike: (cluster, round) => send(cluster, round, 'SIGSTOP') },
  ]
}

/** Another machine each round. */
function program(which: 'etcd' | 'nats', cannot: Fault['cannot']): readonly Fault[] {
  const send = (cluster: Cluster, round: number, signal: NodeJS.Signals): Strike => {
    const machine = cluster.network.machines[round % cluster.network.machines.length]!
    const pid = cluster.keeper.pid(`${machine.name} ${which}`)!
    signalOne(pid, signal)
    const what = `${which} of ${machine.name}`
    return signal === 'SIGKILL' ? { what } : { what, heal: () => signalOne(pid, 'SIGCONT'), lastsMs: freezeMs }
  }
  // Without its etcd, the primary may hand over to another machine.
  const common = { rounds: few, promiseMs: which === 'etcd' ? databaseMs : processMs, cannot }
  return [
    { name: `kill one ${which}`, ...common, strike: async (cluster, round) => send(cluster, round, 'SIGKILL') },
    { name: `freeze one ${which}`, ...common, strike: async (cluster, round) => send(cluster, round, 'SIGSTOP') },
  ]
}

/** Orders pause while there is no NATS, so the promise begins when it is back. */
function wholeNats(): readonly Fault[] {
  const pids = ({ network, keeper }: Cluster): readonly number[] => network.machines.map(({ name }) => keeper.pid(`${name} nats`)!)
  const common = { rounds: few, cannot: nats }
  return [
    {
      ...{ name: 'kill all of NATS', promiseMs: processMs, ...common },
      async strike(cluster) {
        for (const pid of pids(cluster)) signalOne(pid, 'SIGKILL')
        return { what: 'NATS of all machines' }
      },
    },
    {
      ...{ name: 'freeze all of NATS', promiseMs: processMs + freezeMs, ...common },
      async strike(cluster) {
        const stopped = pids(cluster)
        for (const pid of stopped) signalOne(pid, 'SIGSTOP')
        return {
          what: 'NATS of all machines',
          lastsMs: freezeMs,
          isOutage: true,
          heal: () => {
            for (const pid of stopped) signalOne(pid, 'SIGCONT')
          },
        }
      },
    },
  ]
}

function partition(called: string, choose: Choose): Fault {
  return {
    ...{ name: `cut off the ${called}`, rounds: few, promiseMs: databaseMs, cannot: separate },
    async strike(cluster, round) {
      const { network, isRoles, secrets } = cluster
      // One exchange on the first machine can't do without it.
      const isFirst = async (): Promise<boolean> => !isRoles && (await choose(cluster, round)) === network.machines[0]
      if (await isFirst()) await movePrimary(network.machines, secrets)
      const machine = (await isFirst()) ? network.machines[1 + (round % 2)]! : await choose(cluster, round)
      network.cut(machine)
      return { what: machine.name, heal: () => network.join(machine), lastsMs: longFreezeMs }
    },
  }
}

/** Another machine each round; one exchange is on the first. */
function turn({ network: { machines }, isRoles }: Cluster, round: number): Machine {
  return machines[isRoles ? round % machines.length : 0]!
}

function primary({ network }: Cluster): Promise<Machine> {
  return until('there is a primary', databaseMs, () => primaryOf(network.machines))
}

/** The synchronous and the other standby by turns. */
async function replica(cluster: Cluster, round: number): Promise<Machine> {
  const leads = await primary(cluster)
  return cluster.network.machines.filter((one) => one !== leads)[round % 2]!
}

async function leader(cluster: Cluster): Promise<Machine> {
  return until('an engine leads', processMs, () => cluster.exchange?.leader())
}

async function standby(cluster: Cluster, round: number): Promise<Machine> {
  const leads = await leader(cluster)
  return cluster.network.machines.filter((one) => one !== leads)[round % 2]!
}
