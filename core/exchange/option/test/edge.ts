/**
 * Measures how much a program that sees the index one second before others earns per unit staked, with a 99 % confidence
 * interval. Prices have no trend, and the program bets on every large move that it foresees.
 *
 *   node core/exchange/option/test/edge.ts 100000
 */
import type { Command } from '../../../protocol/command/index.ts'
import { encodeCommand } from '../../../protocol/codec/command.ts'
import { decodeEvents, eventCodes, eventLength } from '../../../protocol/codec/event.ts'
import { opcodeOf, Records } from '../../../protocol/codec/records.ts'
import type { OptionSettled } from '../../../protocol/event/option.ts'
import { given, units, unlimited } from './world.ts'

export type EdgeReport = {
  readonly orders: number
  readonly wins: number
  readonly losses: number
  readonly others: number
  /** Net of all orders ÷ all stakes; its expectation lies between `low` and `high` with 99 % confidence. */
  readonly mean: number
  readonly low: number
  readonly high: number
}

const tickMs = 250
/** Number of ticks that the program sees in advance. */
const ahead = 4
const markets = 40
const firstMarket = 4
const seconds = 5
const stake = units(5)
const middle = 60_000 * 1e8
const stepSize = 20 * 1e8
/** The program bets on moves of at least this many steps. */
const worthIt = 1.5
const normalOf99 = 2.576

export function measureEdge(orders: number, strikeDelayMs: number, seed: number): EdgeReport {
  const random = seeded(seed)
  const world = given({
    rates: [{ seconds, profitPpm: 800_000 }],
    strikeDelayMs,
    openMax: units(1_000_000),
    ...unlimited,
  })
  const user = world.trader('bot', 900_000)
  for (let n = 0; n < markets; n++) {
    const symbol = `M${String(n).padStart(2, '0')}USDT`
    const { terms } = world.world.exchange.listing().markets[0]!
    world.do({ type: 'market.list', symbol, base: 2, quote: 1, tick: '1', lot: '0.001', terms }).isAccepted()
  }
  const { exchange } = world.world
  const commands = new Records()
  const events = new Records()
  const nets: number[] = []
  const busy = new Set<number>()
  let others = 0
  let atMs = world.atMs

  const execute = (command: object): void => {
    commands.clear()
    events.clear()
    encodeCommand(command as Command, { seq: exchange.seq + 1, at: atMs, keyId: 0 }, commands)
    exchange.execute(commands.data, 0, events)
    for (let at = 0; at < events.length; at += eventLength(events.data, at, events.length)) {
      if (opcodeOf(events.data[at]!) !== eventCodes['option.settled']) continue
      const [settled] = decodeEvents(events.data, at, at + eventLength(events.data, at, events.length)) as [OptionSettled]
      busy.delete(settled.market)
      nets.push((settled.payout - stake) / stake)
      if (settled.result !== 'win' && settled.result !== 'lose') others++
    }
  }

  /** For each market the present price and those that the program foresees. */
  const paths = Array.from({ length: markets }, () => {
    const path = [middle]
    while (path.length <= ahead) path.push(walked(path.at(-1)!, random))
    return path
  })
  while (nets.length < orders) {
    atMs += tickMs
    for (const path of paths) {
      path.shift()
      path.push(walked(path.at(-1)!, random))
    }
    const prices = paths.map((path, n) => ({ market: firstMarket + n, price: path[0]!, sources: 3, isGood: true }))
    execute({ type: 'index.tick', prices })
    // Orders are accepted at a random moment between two ticks, and one at a time in each market, so that they are independent.
    const tickAt = atMs
    atMs += Math.floor(random() * tickMs)
    paths.forEach((path, n) => {
      const move = path[ahead]! - path[0]!
      if (busy.has(firstMarket + n) || Math.abs(move) < worthIt * stepSize) return
      busy.add(firstMarket + n)
      const direction = move > 0 ? 'up' : 'down'
      execute({ type: 'option.open', user, clientId: '', market: firstMarket + n, direction, stake, seconds, guardPpm: 0 })
    })
    atMs = tickAt
    while (exchange.nextDueAtMs <= exchange.atMs) {
      atMs = exchange.atMs
      execute({ type: 'clock.tick' })
    }
    atMs = tickAt
  }
  return report(nets, others)
}

/** The price after a normally distributed step: the expectation of every later price is the present one. */
function walked(price: number, random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return price + Math.round(normal * stepSize)
}

function report(nets: readonly number[], others: number): EdgeReport {
  const mean = nets.reduce((sum, net) => sum + net, 0) / nets.length
  const variance = nets.reduce((sum, net) => sum + (net - mean) ** 2, 0) / (nets.length - 1)
  const half = normalOf99 * Math.sqrt(variance / nets.length)
  const wins = nets.filter((net) => net > 0).length
  return { orders: nets.length, wins, losses: nets.filter((net) => net < 0).length, others, mean, low: mean - half, high: mean + half }
}

function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export function sentence({ orders, wins, losses, others, mean, low, high }: EdgeReport): string {
  const percent = (share: number): string => `${(100 * share).toFixed(2)} %`
  return `${orders} orders: ${wins} won, ${losses} lost, ${others} neither; ${percent(mean)} of the stakes on balance, 99 % between ${percent(low)} and ${percent(high)}`
}

if (import.meta.main) {
  const orders = Number(process.argv[2] ?? 100_000)
  process.stdout.write(`strike 1.5 s after acceptance   ${sentence(measureEdge(orders, 1500, 1))}\n`)
  process.stdout.write(`strike at the next tick         ${sentence(measureEdge(orders, 1, 1))}\n`)
}
