/**
 * Orders a second, and the processor time of one, on one process tree and on roles that run apart, in the same run on the same database: with
 * as many orders as are answered, and with the same number in each setup, because fewer make smaller batches, in which each costs more. The
 * time counts from the first request until a signed head covers the last one: each minute the follower makes the receipts of that minute's
 * orders. Counted are all processes of the exchange, its standbys too, but neither PostgreSQL nor NATS.
 */
import { driveHttp, signedDialect } from '../../bench/http-orders.ts'
import { type Credentials, makeAccounts, priceAt, untilSigned } from '../bank/people.ts'
import type { Cluster } from '../machines/cluster.ts'
import { type Exchange, startExchange } from '../machines/exchange.ts'
import { cpuSecondsOf } from '../machines/processes.ts'

export type Setup = { readonly name: string; readonly kind: 'tree' | 'roles'; readonly gateways: number }

/** One load on one setup. */
export type Turn = {
  /** Orders and cancels that were answered. */
  readonly perSecond: number
  /** Processor milliseconds for each order or cancel, by role and together. */
  readonly byRole: Readonly<Record<string, number>>
  readonly cpuMs: number
  /** Without engines and followers that stand by on other machines. */
  readonly workMs: number
  /** Of `workMs` against the first setup under the same load. */
  readonly ratio: number
}

/** `most`: as many as are answered. `same`: the same number a second in all setups. */
export type Reading = { readonly name: string; readonly most: Turn; readonly same: Turn }

/** The highest ratio that a setup may have to the first one, with as many orders as are answered. */
export const ratioMax = 1.5

export const setups: readonly Setup[] = [
  { name: 'one process tree', kind: 'tree', gateways: 1 },
  ...[1, 2, 4].map((gateways) => ({ name: `${gateways} gateway${gateways === 1 ? '' : 's'}`, kind: 'roles' as const, gateways })),
]

const callerCount = 128
const symbol = 'BTCUSDT'
/** For the compiler of each process: with four gateways each sees a quarter of the orders. */
const warmSeconds = 40
/** The same number in all setups is this part of what the last one answers. */
const share = 0.5
/** The bench comes from a trusted proxy of a sandbox, which does not limit its own machine. */
const ownMachine = 'X-Forwarded-For: 127.0.0.1\r\n'

/**
 * Measures each setup after its processes have warmed up.
 *
 * seconds  of each load, which begins behind a head: a little less than a minute needs no long wait for the next
 */
export async function benchOn(cluster: Cluster, wanted: readonly Setup[], seconds: number): Promise<readonly Reading[]> {
  const { say } = cluster
  const readings: Reading[] = []
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
    const turn = async (name: string, perSecond?: number): Promise<Turn> => {
      await untilSigned(settings)
      const before = secondsOf(exchange)
      const answered = await drive(urls, accounts, price, mark + name, seconds, perSecond)
      await untilSigned(settings)
      return turnOf(answered, seconds, before, secondsOf(exchange))
    }
    const most = await turn('m')
    const same = await turn('s', share * (readings[0]?.most.perSecond ?? most.perSecond))
    readings.push({ name: setup.name, most, same })
    say(readingLines(readings.at(-1)!))
  }
  const first = readings.at(-1)!
  const against = (turn: Turn, yardstick: Turn): Turn => ({ ...turn, ratio: turn.workMs / yardstick.workMs })
  return readings.toReversed().map(({ name, most, same }) => ({ name, most: against(most, first.most), same: against(same, first.same) }))
}

type Seconds = Readonly<Record<string, readonly number[]>>

/** `before`, `after`: processor time by role, of each process. The ratio is not known yet. */
function turnOf(perSecond: number, seconds: number, before: Seconds, after: Seconds): Turn {
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
  return { perSecond, byRole, cpuMs, workMs, ratio: Number.NaN }
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

export function readingLines({ name, most, same }: Reading): string {
  return `${name}\n  as many as are answered: ${lineOf(most)}\n  as many in all setups:   ${lineOf(same)}`
}

function lineOf({ perSecond, byRole, cpuMs, workMs, ratio }: Turn): string {
  const parts = Object.entries(byRole).map(([role, ms]) => `${role} ${ms.toFixed(3)}`)
  const told = Number.isNaN(ratio) ? '' : `, ratio ${ratio.toFixed(2)}`
  return `${Math.round(perSecond)} orders and cancels a second, ${workMs.toFixed(3)} ms of the processor for each${told}; all processes ${cpuMs.toFixed(3)} ms (${parts.join(', ')})`
}
