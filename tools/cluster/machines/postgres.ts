/** PostgreSQL on the machines, through Patroni's REST interface and the files of its data folder. */
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Machine, ports, type Secrets } from '../texts/layout.ts'
import { until } from './until.ts'

export const postgresData = ({ folder }: Machine): string => join(folder, 'postgres', 'data')

export const patroniFile = ({ folder }: Machine): string => join(folder, 'postgres', 'patroni.yml')

/** Process id of the machine's PostgreSQL; undefined while it is down. */
export function postmasterOf(machine: Machine): number | undefined {
  try {
    const folder = postgresData(machine)
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    // After kill -9 the file stays, and the number may be another process's.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder) ? pid : undefined
  } catch {
    return undefined
  }
}

/** A member as Patroni's `/cluster` lists it. */
type Member = { readonly name: string; readonly role: string; readonly state: string; readonly lag?: number | string }

const askMs = 1_000
const moveMaxMs = 60_000

/** What the first machine that answers says of all members. */
export async function membersOf(machines: readonly Machine[]): Promise<readonly Member[]> {
  for (const { address } of machines) {
    try {
      const answer = await fetch(`http://${address}:${ports.patroni}/cluster`, { signal: AbortSignal.timeout(askMs) })
      const { members } = (await answer.json()) as { members: Member[] }
      if (members.length > 0) return members
    } catch {
      // The next one may answer.
    }
  }
  return []
}

/** The machine whose PostgreSQL says that it is the primary and holds the leader key. */
export async function primaryOf(machines: readonly Machine[]): Promise<Machine | undefined> {
  const answers = await Promise.all(
    machines.map(async ({ address }) => {
      try {
        return (await fetch(`http://${address}:${ports.patroni}/primary`, { signal: AbortSignal.timeout(askMs) })).status === 200
      } catch {
        return false
      }
    }),
  )
  return machines.find((_, i) => answers[i])
}

const streams = (member: Member): boolean => member.state === 'streaming' || member.state === 'running'

/** Waits until there is a primary with two standbys, of which one is synchronous, and none is behind. */
export async function untilReplicated(machines: readonly Machine[], secrets: Secrets, maxMs: number): Promise<Machine> {
  return until('PostgreSQL has a primary and two standbys', maxMs, async () => {
    const members = await membersOf(machines)
    const leaders = members.filter(({ role, state }) => role === 'leader' && state === 'running')
    const synchronous = members.filter(({ role, state }) => role === 'sync_standby' && streams({ name: '', role, state }))
    const isWhole = members.length === machines.length && members.every(streams) && leaders.length === 1 && synchronous.length === 1
    const primary = isWhole ? machines.find(({ name }) => name === leaders[0]!.name) : undefined
    return primary !== undefined && (await streamsFrom(primary, secrets)) === machines.length - 1 ? primary : undefined
  })
}

/** How many standbys stream from it. */
async function streamsFrom(primary: Machine, secrets: Secrets): Promise<number> {
  return withSuperuser(primary, ports.postgres, secrets, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int as count from pg_stat_replication where state = 'streaming'",
    )
    return rows[0]!.count
  })
}

/** Moves the primary to the synchronous standby, in good order. Patroni refuses while the standby lacks a byte, and is asked again. */
export async function movePrimary(machines: readonly Machine[], secrets: Secrets): Promise<void> {
  const from = await until('Patroni moves the primary', moveMaxMs, async () => {
    const leader = await untilReplicated(machines, secrets, moveMaxMs)
    const candidate = (await membersOf(machines)).find(({ role }) => role === 'sync_standby')?.name
    await tellPatroni(leader, '/switchover', { leader: leader.name, candidate })
    return leader
  })
  await until('the primary has moved', moveMaxMs, async () => {
    const now = await primaryOf(machines)
    return now !== undefined && now !== from
  })
}

const notSynchronous = '\ntags:\n  nosync: true\n'

/**
 * Says whether a standby may be the synchronous one, and waits until another one is if it may not. A synchronous standby that goes
 * without this holds up all commits until Patroni has named another, which takes it two turns.
 */
export async function maySynchronize(machine: Machine, machines: readonly Machine[], may: boolean): Promise<void> {
  const file = patroniFile(machine)
  const text = readFileSync(file, 'utf8').replace(notSynchronous, '')
  writeFileSync(file, may ? text : text + notSynchronous)
  await tellPatroni(machine, '/reload', {})
  if (may) return
  await until(`${machine.name} is no synchronous standby`, moveMaxMs, async () => {
    const synchronous = (await membersOf(machines)).filter(({ role }) => role === 'sync_standby')
    return synchronous.length === 1 && synchronous[0]!.name !== machine.name
  })
}

async function tellPatroni({ address }: Machine, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://${address}:${ports.patroni}${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`Patroni refuses ${path}: ${answer.status} ${await answer.text()}`)
}

/** Creates the exchange's user and its database, unless they are there. */
export async function provideDatabase(machine: Machine, secrets: Secrets): Promise<void> {
  await withSuperuser(machine, ports.database, secrets, async (client) => {
    const { rows } = await client.query("select from pg_database where datname = 'candor'")
    if (rows.length > 0) return
    await client.query(`create role candor login createrole password '${secrets.candor}'`)
    await client.query("create database candor owner candor encoding 'UTF8' template template0")
  })
}

async function withSuperuser<T>({ address }: Machine, port: number, secrets: Secrets, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const connectionString = `postgres://postgres:${secrets.superuser}@${address}:${port}/postgres`
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: askMs * 3, query_timeout: askMs * 3 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    // A frozen server would never say goodbye.
    client.connection.stream.destroy()
  }
}
