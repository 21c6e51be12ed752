/**
 * Orders a second, and the processor time of one, on one process tree and on roles that run apart, in the same run on the same database. The
 * time is that of the same number of orders a second in each setup, because fewer make smaller batches, in which each costs more. It counts
 * from the first request until a signed head covers the last one: each minute the follower makes the receipts of that minute's orders. Counted
 * are all processes of the exchange, its standbys too, but neither PostgreSQL nor NATS.
 */
import { driveHttp, signedDialect } from '../../bench/http-orders.ts'
import { type Credentials, makeAccounts, priceAt, untilSigned } from '../bank/people.ts'
import type { Cluster } from '../machines/cluster.ts'
import { type Exchange, startExchange } from '../machines/exchange.ts'
import { cpuSecondsOf } from '../machines/processes.ts'

export type Setup = { readonly name: string; readonly kind: 'tree' | 'roles'; readonly gateways: number }

export type Reading = {
  readonly name: string
  /** As many as were answered, and as many as in all setups. */
  readonly mostPerSecond: number
  readonly perSecond: number
  /** Processor milliseconds for each order or cancel, by role and together. */
  readonly byRole: Readonly<Record<string, number>>
  readonly cpuMs: number
  /** Without engines and followers that stand by on other machines. */
  readonly workMs: number
  /** Of `workMs` against the first setup. */
  readonly ratio: number
}

/** The highest ratio that a setup may have to the first one. */
export const ratioMax = 1.5

export const setups: readonly Setup[] = [
  { name: 'one process tree', kind: 'tree', gateways: 1 },
  ...[1, 2, 4].map((gateways) => ({ name: `${gateways} gateway${gateways === 1 ? '' : 's'}`, kind: 'roles' as const, gateways })),
]

const callerCount = 128
const symbol = 'BTCUSDT'
/** For the compiler of each process: with four gateways each sees a quarter of the orders. Then as many as are answered, for so long. */
const [warmSeconds, mostSeconds] = [40, 20]
/** Of as many as the last setup answers. */
const share = 0.5
/** The bench comes from a trusted proxy of a sandbox, which does not limit its own machine. */
const ownMachine = 'X-Forwarded-For: 127.0.0.1\r\n'

/** seconds  of each setup, after its processes have warmed up. It begins behind a head: a little less than a minute needs no long wait for the next. */
export async function benchOn(cluster: Cluster, wanted: readonly Setup[], seconds: number): Promise<readonly Reading[]> {
  const { say } = cluster
  const readings: Omit<Reading, 'ratio'>[] = []
  // The one with the most processes first, which sets the pace of all.
  for (const [nth, setup] of wanted.toReversed().entries()) {
    await using exchange = await startExchange(cluster, { kind: setup.kind, hasBots: false, gateways: setup.gateways })
    const urls = exchange.gateways()
    const settings = exchange.settings(cluster.network.machines[0]!)
    const mark = `${Date.now().toString(36)}${nth}`
    // New ones each time: what the last setup left open counts towards their limits.
    const accounts = await makeAccounts(settings, { count: callerCount, mark, userClass: 'bench' })
    const price = await priceAt(urls[0]!)
    await drive(urls, accounts, price, `${mark}w`, warmSeconds)
    const mostPerSecond = await drive(urls, accounts, price, `${mark}m`, mostSeconds)
    await untilSigned(settings)
    const before = secondsOf(exchange)
    const perSecond = await drive(urls, accounts, price, `${mark}t`, seconds, share * (readings[0]?.mostPerSecond ?? mostPerSecond))
    await untilSigned(settings)
    readings.push({ mostPerSecond, ...readingOf(setup, perSecond, seconds, before, secondsOf(exchange)) })
    say(lineOf(readings.at(-1)!))
  }
  return readings.toReversed().map((one) => ({ ...one, ratio: one.workMs / readings.at(-1)!.workMs }))
}

type Seconds = Readonly<Record<string, readonly number[]>>

/** `before`, `after`: processor time by role, of each process. */
function readingOf(
  { name }: Setup,
  perSecond: number,
  seconds: number,
  before: Seconds,
  after: Seconds,
): Omit<Reading, 'ratio' | 'mostPerSecond'> {
  const orders = perSecond * seconds
  const byRole = Object.fromEntries(
    Object.entries(after).flatMap(([role, used]) =>
      perOrder(
        role,
        used.map((seconds, i) => ((seconds - before[role]![i]!) * 1_000) / orders),
      ),
    ),
  )
  const cpuMs = Object.values(byRole).reduce((sum, one) => sum + one, 0)
  const workMs = cpuMs - (byRole[standIn('engine')] ?? 0) - (byRole[standIn('follower')] ?? 0)
  return { name, perSecond, byRole, cpuMs, workMs }
}

/**
 * The callers are spread over the gateways. Returns orders and cancels a second.
 *
 * perSecond  at most; undefined: as many as are answered
 */
async function drive(
  urls: readonly string[],
  accounts: readonly Credentials[],
  price: number,
  mark: string,
  seconds: number,
  perSecond?: number,
): Promise<number> {
  const callers = accounts.map(({ key, secret }, i) => ({
    entry: { price, mark: `${mark}-${i}` },
    dialect: signedDialect(key, secret, symbol, 60_000, ownMachine),
  }))
  const tallies = await Promise.all(
    urls.map((url, nth) =>
      driveHttp(
        url,
        callers.filter((_, i) => i % urls.length === nth),
        seconds,
        perSecond === undefined ? undefined : perSecond / urls.length,
      ),
    ),
  )
  return tallies.reduce((sum, one) => sum + one.perSecond, 0)
}

/** By role, of each process. */
const secondsOf = (exchange: Exchange): Seconds =>
  Object.fromEntries(Object.entries(exchange.pids()).map(([role, pids]) => [role, pids.map((pid) => cpuSecondsOf([pid]))]))

const standIn = (role: string): string => `waiting ${role}s`

/** Of engines and followers the busiest one works, and the others stand by. `used`: milliseconds for each order, by process. */
function perOrder(role: string, used: readonly number[]): readonly (readonly [string, number])[] {
  const sum = used.reduce((total, one) => total + one, 0)
  if ((role !== 'engine' && role !== 'follower') || used.length === 1) return [[role, sum]]
  const most = Math.max(...used)
  return [
    [role, most],
    [standIn(role), sum - most],
  ]
}

export function lineOf({
  name,
  mostPerSecond,
  perSecond,
  byRole,
  cpuMs,
  workMs,
  ratio,
}: Omit<Reading, 'ratio'> & Partial<Reading>): string {
  const parts = Object.entries(byRole).map(([role, ms]) => `${role} ${ms.toFixed(3)}`)
  const told = ratio === undefined ? '' : `, ratio ${ratio.toFixed(2)}`
  return `${name}: ${Math.round(mostPerSecond)} orders and cancels a second at most; at ${Math.round(perSecond)}, ${workMs.toFixed(3)} ms of the processor for each${told}; all processes ${cpuMs.toFixed(3)} ms (${parts.join(', ')})`
}
