import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given, units, unlimited } from './world.ts'
import type { OptionWorld } from './world.ts'

/** Pseudo-random numbers below 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Bet = {
  readonly at: number
  readonly direction: 'up' | 'down'
  readonly seconds: number
  readonly guardPpm: number
  readonly market: number
}
type Tick = { readonly at: number; readonly prices: Readonly<Record<number, number>>; readonly isGood: boolean }

/** Ticks of some minutes, with gaps and ticks that are not good. Every run gets the same ones. */
function ticksOf(random: () => number, lengthMs: number): Tick[] {
  const ticks: Tick[] = []
  let [btc, eth] = [60_000, 3000]
  for (let at = 250; at < lengthMs; at += random() < 0.004 ? 4000 : 240 + Math.floor(random() * 20)) {
    btc += Math.round((random() - 0.5) * 8)
    eth += Math.round((random() - 0.5) * 8) / 4
    ticks.push({ at, prices: random() < 0.8 ? { 1: btc, 3: eth } : {}, isGood: random() > 0.005 })
  }
  return ticks
}

/** Plays the bets over the ticks. `luck` chooses the customer, the stake and the sequence of the bets. */
function play(ticks: readonly Tick[], bets: readonly Bet[], luck: () => number): ReadonlyMap<Bet, string> {
  const fund = 1_000_000 + Math.floor(luck() * 9_000_000)
  const world = given({ openMax: units(10_000_000), ...unlimited }, fund)
  const names = ['anna', 'ben', 'cleo', 'dan', 'eve']
  for (const name of names) world.trader(name, 100_000)
  const begin = world.atMs
  const orders = new Map<Bet, number>()
  let next = 0
  const due = bets.toSorted((a, b) => a.at - b.at)
  const passTo = (at: number): void => {
    while (world.world.exchange.nextDueAtMs <= begin + at) {
      world.world.atMs = Math.max(world.atMs, world.world.exchange.nextDueAtMs)
      world.do({ type: 'clock.tick' })
    }
    world.world.atMs = begin + at
  }
  for (const { at, prices, isGood } of ticks) {
    while (next < due.length && due[next]!.at <= at) {
      const moment = due[next]!.at
      passTo(moment)
      const now: Bet[] = []
      for (; next < due.length && due[next]!.at === moment; next++) now.push(due[next]!)
      // Bets of the same time come in random order, between bets of other customers.
      for (const bet of now.sort(() => luck() - 0.5)) orders.set(bet, place(world, names, bet, luck))
    }
    passTo(at)
    world.tick(prices, { isGood, sources: isGood ? 3 : 2 })
  }
  return new Map(
    [...orders].map(([bet, order]) => {
      const settled = world.settled.get(order)
      return [bet, settled === undefined ? `${order === 0 ? 'refused' : 'open'}` : `${settled.result} ${settled.reason} ${settled.price}`]
    }),
  )
}

/** Number of the order; 0 when it was refused. */
function place(world: OptionWorld, names: readonly string[], bet: Bet, luck: () => number): number {
  const { direction, seconds, guardPpm, market } = bet
  if (luck() < 0.5) world.open('eve', luck() < 0.5 ? 'up' : 'down', { stake: 5, seconds: 30, market })
  const name = names[Math.floor(luck() * names.length)]!
  const told = world.open(name, direction, { stake: 5 + Math.floor(luck() * 900), seconds, guardPpm, market })
  return told.outcome.refusal === undefined ? told.order : 0
}

test('OPTION-FAIR-001: customer, stake and sequence of orders change no result: outcomes depend on the ticks alone', () => {
  const random = seeded(11)
  const ticks = ticksOf(random, 400_000)
  const bets: Bet[] = Array.from({ length: 120 }, () => ({
    // Several bets have the same time.
    at: 1000 * (1 + Math.floor(random() * 200)) + 100,
    direction: random() < 0.5 ? 'up' : 'down',
    seconds: [30, 60, 120][Math.floor(random() * 3)]!,
    guardPpm: random() < 0.3 ? 60 : 0,
    market: random() < 0.5 ? 1 : 3,
  }))
  const first = play(ticks, bets, seeded(1))
  const kinds = new Set([...first.values()].map((said) => said.split(' ').slice(0, 2).join(' ')))
  for (const kind of ['win none', 'lose none', 'void gap', 'void sources', 'void guard'])
    assert.ok(kinds.has(kind), `${kind} in ${[...kinds]}`)
  for (let luck = 2; luck <= 6; luck++) {
    const other = play(ticks, bets, seeded(luck))
    for (const bet of bets) assert.equal(other.get(bet), first.get(bet), JSON.stringify(bet))
  }
})
