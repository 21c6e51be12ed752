/**
 * `npm run cluster -- up|down|bank`: a cluster of three machines on this host, with etcd, PostgreSQL under Patroni, NATS, HAProxy and
 * the exchange on each. See docs/cluster.md.
 *
 *   up     [--install] [--loopback] [--bots] [--exchange tree|roles|none] [--folder F]   runs until Ctrl-C or `down`
 *   down   [--folder F]                                                                   stops exactly what `up` started
 *   bank   [--seconds 30] [--rate 60] [--customers 12] [--json] [--folder F]              customers from outside, beside `up`
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { Bank, linesOf } from './cluster/bank/bank.ts'
import { isFlawless } from './cluster/bank/compare.ts'
import { makeCustomers, priceAt } from './cluster/bank/people.ts'
import { settingsFile } from './cluster/machines/exchange.ts'
import { databaseOf, entriesOf, startCluster, stopCluster } from './cluster/machines/cluster.ts'
import { interruptWaits } from './cluster/machines/until.ts'
import { installPackages, missingPackages } from './cluster/machines/packages.ts'

const kinds = ['tree', 'roles', 'none'] as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    install: { type: 'boolean', default: false },
    loopback: { type: 'boolean', default: false },
    bots: { type: 'boolean', default: false },
    exchange: { type: 'string', default: 'tree' },
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '60' },
    customers: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(tmpdir(), 'candor-cluster') },
  },
})
const { folder } = values
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const commands: Readonly<Record<string, () => Promise<number>>> = { up, down, bank }

async function up(): Promise<number> {
  if (values.install && missingPackages().length > 0) installPackages(missingPackages(), say)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        resolve()
        interruptWaits()
      })
  })
  const exchange = kinds.find((kind) => kind === values.exchange)
  if (exchange === undefined) return complain(`--exchange must be ${kinds.join(', ')}`)
  await using cluster = await startCluster({ folder, exchange, isLoopback: values.loopback, hasBots: values.bots, say })
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
  say('Opening accounts …')
  const programs = await makeCustomers(settings, entries, { count: Number(values.customers), mark })
  const price = await priceAt(entries[0]!)
  const opened = await Bank.open({ programs, price, mark, perSecond: Number(values.rate), log: join(folder, `bank-${mark}.ndjson`) })
  say(`${programs.length} customers send ${values.rate} requests a second for ${values.seconds} s …`)
  await sleep(Number(values.seconds) * 1_000)
  const outcome = await opened.close()
  for (const line of linesOf(outcome)) say(line)
  if (values.json) process.stdout.write(`${JSON.stringify(outcome)}\n`)
  return isFlawless(outcome) ? 0 : 1
}

function complain(line: string): number {
  say(line)
  return 2
}

const command = commands[positionals[0] ?? '']
process.exitCode =
  command === undefined
    ? complain('npm run cluster -- up|down|bank')
    : await command().catch((cause: Error) => {
        say(`${cause.message}${cause.cause instanceof Error ? `: ${cause.cause.message}` : ''}`)
        return 1
      })
