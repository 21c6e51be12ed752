/** The yardstick for all benchmarks that write to PostgreSQL: TPC-B transactions per second, 32 clients, same server. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export type Yardstick = {
  /** "pgbench" with its version, or the name of our own driver that ran in its place. */
  readonly name: string
  /** Transactions per second, measured over this many seconds. */
  run(seconds: number): Promise<number>
}

const clients = 32
/** Number of branches: one per client, so that they do not all wait for one row. */
const scale = 32

/** Creates pgbench's tables in the database. */
export async function prepareTpcB(url: string): Promise<Yardstick> {
  const pgbench = findPgbench()
  if (pgbench !== undefined) {
    run(pgbench, ['-i', '-q', '-s', String(scale), url])
    const version = run(pgbench, ['--version']).trim()
    return {
      name: version,
      run: async (seconds) => tpsOf(run(pgbench, ['-n', '-c', String(clients), '-j', '2', '-T', String(seconds), url])),
    }
  }
  await makeTables(url)
  return { name: `own TPC-B driver, ${clients} connections (pgbench is not installed)`, run: (seconds) => drive(url, seconds) }
}

function findPgbench(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':')
  const debian = '/usr/lib/postgresql'
  if (existsSync(debian)) folders.push(...readdirSync(debian).map((version) => join(debian, version, 'bin')))
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path))
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return stdout
}

function tpsOf(output: string): number {
  const tps = /tps = ([0-9.]+)/.exec(output)?.[1]
  if (tps === undefined) throw new Error(`pgbench printed no tps: ${output}`)
  return Number(tps)
}

async function makeTables(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(
    `
    drop table if exists pgbench_accounts, pgbench_tellers, pgbench_branches, pgbench_history;
    create table pgbench_branches (bid int primary key, bbalance int, filler char(88)) with (fillfactor = 100);
    create table pgbench_tellers (tid int primary key, bid int, tbalance int, filler char(84)) with (fillfactor = 100);
    create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84)) with (fillfactor = 100);
    create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
    insert into pgbench_branches select n, 0, '' from generate_series(1, ${scale}) n;
    insert into pgbench_tellers select n, (n - 1) / 10 + 1, 0, '' from generate_series(1, ${scale * 10}) n;
    insert into pgbench_accounts select n, (n - 1) / 100000 + 1, 0, '' from generate_series(1, ${scale * 100_000}) n;
    vacuum analyze`
      .split(';')
      .slice(0, -1)
      .join(';'),
  )
  await client.query('vacuum analyze')
  await client.end()
}

async function drive(url: string, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  const counts = await Promise.all(Array.from({ length: clients }, () => driveOne(url, until)))
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

async function driveOne(url: string, until: number): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  let count = 0
  for (; performance.now() < until; count++) {
    const pick = (most: number) => 1 + Math.floor(Math.random() * most)
    const [account, branch, teller, delta] = [pick(scale * 100_000), pick(scale), pick(scale * 10), pick(10_001) - 5001]
    await client.query('begin')
    await client.query(`update pgbench_accounts set abalance = abalance + ${delta} where aid = ${account}`)
    await client.query(`select abalance from pgbench_accounts where aid = ${account}`)
    await client.query(`update pgbench_tellers set tbalance = tbalance + ${delta} where tid = ${teller}`)
    await client.query(`update pgbench_branches set bbalance = bbalance + ${delta} where bid = ${branch}`)
    await client.query(
      `insert into pgbench_history (tid, bid, aid, delta, mtime) values (${teller}, ${branch}, ${account}, ${delta}, now())`,
    )
    await client.query('commit')
  }
  await client.end()
  return count
}
