/**
 * `npm run cluster -- up|down|bank|drill|bench`: a cluster of three machines on this host, with etcd, PostgreSQL under Patroni, NATS, HAProxy and
 * the exchange on each. See docs/cluster.md.
 *
 *   up     [--install] [--loopback] [--bots] [--exchange tree|roles|none] [--folder F]   runs until Ctrl-C or `down`
 *   down   [--folder F]                                                                   stops exactly what `up` started
 *   bank   [--seconds 30] [--rate 60] [--customers 12] [--json] [--folder F]              customers from outside, beside `up`
 *   drill  [--only NAME …] [--rounds N] [--list] [--json] and the options of `up`         starts a cluster, tries every fault, stops it
 *   bench  [--seconds 50] [--json] and the options of `up`                                orders a second, and the processor time of one, on one tree and on roles
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { Bank, linesOf } from './bank/bank.ts'
import { isFlawless } from './bank/compare.ts'
import { makeCustomers, priceAt } from './bank/people.ts'
import { benchOn, readingLines, ratioMax, setups } from './load/bench.ts'
import { settingsFile } from './machines/exchange.ts'
import { auditOn, drillOn } from './drill/drill.ts'
import { faults, faultsNamed } from './drill/faults.ts'
import { hasPassed, tableOf } from './drill/table.ts'
import { type ClusterOptions, databaseOf, entriesOf, startCluster, stopCluster } from './machines/cluster.ts'
import { interruptWaits } from './machines/until.ts'
import { installPackages, missingPackages } from './machines/packages.ts'

const kinds = ['tree', 'roles', 'none'] as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    install: { type: 'boolean', default: false },
    loopback: { type: 'boolean', default: false },
    bots: { type: 'boolean', default: false },
    exchange: { type: 'string', default: 'roles' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    list: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rate: { type: 'string', default: '60' },
    customers: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(tmpdir(), 'candor-cluster') },
  },
})
const { folder } = values
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const commands: Readonly<Record<string, () => Promise<number>>> = { up, down, bank, drill, bench }

function clusterOptions(): ClusterOptions {
  const exchange = kinds.find((kind) => kind === values.exchange)
  if (exchange === undefined) throw new Error(`--exchange must be ${kinds.join(', ')}`)
  return { folder, exchange, isLoopback: values.loopback, hasBots: values.bots, say }
}

/** Resolves at the first signal, which also ends what is waited for. */
function stopOnSignals(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        resolve()
        interruptWaits()
      })
  })
}

async function up(): Promise<number> {
  if (values.install && missingPackages().length > 0) installPackages(missingPackages(), say)
  const stopped = stopOnSignals()
  await using cluster = await startCluster(clusterOptions())
  process.stdout.write(`\n  Open ${entriesOf(cluster).join(' or ')}\n  Database ${databaseOf(cluster)}\n  Everything is in ${folder}\n\n`)
  say('Ctrl-C stops it.')
  await stopped
  say('Stopping …')
  return 0
}

async function down(): Promise<number> {
  say((await stopCluster(folder)) ? 'Stopped.' : `No cluster runs in ${folder}.`)
  return 0
}

/** Customers from outside, for some seconds. Fails unless nothing is lost or doubled. */
async function bank(): Promise<number> {
  const settings = parseEnv(readFileSync(settingsFile({ folder: join(folder, 'm1') }), 'utf8')) as Record<string, string>
  const entries = (settings['CANDOR_PUBLIC_URL'] ?? '').split(',')
  const mark = Date.now().toString(36)
  const seconds = Number(values.seconds ?? 30)
  say('Opening accounts …')
  const programs = await makeCustomers(settings, entries, { count: Number(values.customers), mark })
  const price = await priceAt(entries[0]!)
  const opened = await Bank.open({ programs, price, mark, perSecond: Number(values.rate), log: join(folder, `bank-${mark}.ndjson`) })
  say(`${programs.length} customers send ${values.rate} requests a second for ${seconds} s …`)
  await sleep(seconds * 1_000)
  const outcome = await opened.close()
  for (const line of linesOf(outcome)) say(line)
  if (values.json) process.stdout.write(`${JSON.stringify(outcome)}\n`)
  return isFlawless(outcome) ? 0 : 1
}

/** Starts a cluster of its own, tries the faults on it, prints the table. Fails unless all promises are kept. */
async function drill(): Promise<number> {
  const wanted = faultsNamed(values.only ?? [''])
  if (values.list || wanted.length === 0) {
    for (const { name, rounds, promiseMs } of wanted.length === 0 ? faults : wanted)
      process.stdout.write(`${name}: ${rounds} rounds, at most ${promiseMs / 1_000} s\n`)
    return values.list ? 0 : 2
  }
  const stop = new AbortController()
  void stopOnSignals().then(() => stop.abort())
  await using cluster = await startCluster(clusterOptions())
  const rows = await drillOn(cluster, wanted, {
    folder,
    signal: stop.signal,
    rate: Number(values.rate),
    customers: Number(values.customers),
    rounds: values.rounds === undefined ? undefined : Number(values.rounds),
  })
  const { isConsistent, text } = auditOn(cluster)
  process.stdout.write(`\n${tableOf(rows)}\n\n${text}\n`)
  const isPassed = isConsistent && rows.every(hasPassed)
  if (values.json) process.stdout.write(`${JSON.stringify({ name: 'cluster drill', isPassed, isConsistent, rows })}\n`)
  return isPassed ? 0 : 1
}

/** Starts a cluster of its own without an exchange, then one exchange after the other on it. Fails when an order takes one of them too long. */
async function bench(): Promise<number> {
  void stopOnSignals()
  const isApart = values.exchange === 'roles'
  await using cluster = await startCluster({ ...clusterOptions(), exchange: 'none' })
  const readings = await benchOn(cluster, isApart ? setups : setups.slice(0, 1), Number(values.seconds ?? 50))
  for (const one of readings) process.stdout.write(`${readingLines(one)}\n`)
  const [first, last] = [readings[0]!.most, readings.at(-1)!.most]
  if (values.json)
    process.stdout.write(
      `${JSON.stringify({ name: 'cluster', value: last.workMs, yardstick: first.workMs, ratio: last.ratio, results: readings })}\n`,
    )
  return readings.every(({ most }) => most.ratio <= ratioMax) ? 0 : 1
}

function complain(line: string): number {
  say(line)
  return 2
}

const command = commands[positionals[0] ?? '']
process.exitCode =
  command === undefined
    ? complain('npm run cluster -- up|down|bank|drill|bench')
    : await command().catch((cause: Error) => {
        say(`${cause.message}${cause.cause instanceof Error ? `: ${cause.cause.message}` : ''}`)
        return 1
      })
