import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Random } from '../../random.ts'
import { BTC, lotsFor, USDT } from '../coins.ts'
import { Path, stepMs } from '../path.ts'
import { playAll, runRedTeam } from '../main.ts'
import { playStrategy, rowOf } from '../report.ts'
import { score } from '../score.ts'
import type { Stage } from '../stage.ts'
import { strategies } from '../strategies.ts'
import { marketTerms } from '../terms.ts'

const recordings = resolve(import.meta.dirname, '../../../../shared/data')

test('REDTEAM-HARNESS-001: a profit on every seed is reported, a lucky seed is not', () => {
  assert.ok(score([5, 6, 4, 5]).low > 0)
  assert.ok(score([500, -490, 20, -5]).low < 0)
  const gift = playStrategy({ name: 'gift', rule: 'none', play: (stage) => void stage.must(gave(stage.attacker(100))) }, 3)
  assert.match(gift.faults.join(), /the strategy earns/)
  const idle = playStrategy({ name: 'idle', rule: 'none', play: (stage) => stage.pass(1000, () => void stage.own) }, 3)
  assert.deepEqual(idle.faults, [])
})

test('REDTEAM-HARNESS-001: a rare profit is reported if no seed has a loss', () => {
  const run = (profit: number, seed: number) => ({ seed, profit, fundLoss: 0, capUse: 0, faults: [] })
  const rowFor = (...profits: readonly number[]) => rowOf({ name: 'rare', rule: 'none', play: () => undefined }, profits.map(run))
  assert.ok(rowFor(0, 0, 0, 5).low < 0)
  assert.match(rowFor(0, 0, 0, 5).faults.join(), /up to 5\.000000 USDT, and it never loses anything/)
  assert.deepEqual(rowFor(0, 0, -1, 5).faults, [])
  assert.deepEqual(rowFor(0, 0, 0, 0).faults, [])
})

test('REDTEAM-HARNESS-005: the results of a strategy depend neither on the count of threads nor on the other strategies', async (t) => {
  const told: string[] = []
  const only = 'id flood'
  const rows = [1, 3].map((workers) => playAll({ seeds: 3, only, workers }, ({ name }) => told.push(name)))
  const [alone, together] = await Promise.all(rows)
  assert.deepEqual(together, alone)
  assert.deepEqual(alone, [playStrategy(strategies.find(({ name }) => name === only)!, 3)])
  assert.deepEqual(told, [only, only])
  const said = t.mock.method(console, 'error', () => undefined)
  assert.equal(await runRedTeam({ seeds: 2, only: 'no such name', workers: 1 }), false)
  assert.match(String(said.mock.calls[0]?.arguments[0]), /must be one of: stale opening, /)
})

function gave(user: number) {
  return { type: 'funds.faucet', user, clientId: '', asset: 1, amount: 7_000_000 } as const
}

test('REDTEAM-HARNESS-003: a debt left to lenders is reported while the fund has money', () => {
  const faultsOf = (own: number, isHalted: boolean) =>
    playStrategy({ name: 'gap', rule: 'none', play: (stage) => gap(stage, own, isHalted) }, 2)
  // Nobody can sell the coins, so the fund never pays.
  assert.match(faultsOf(10_000, true).faults.join(), /seed 1: lenders lost \d{4,}\.\d\d USDT while the fund had 100\d{3}\./)
  const paid = faultsOf(10_000, false)
  assert.ok(paid.fundLoss > 5000)
  assert.doesNotMatch(paid.faults.join(), /lenders/)
  // The fund pays until it is empty, and the rest is the lenders' loss.
  const emptied = faultsOf(80_000, false)
  assert.ok(emptied.fundLoss > 99_999, `${emptied.fundLoss} ${emptied.faults.join()}`)
  assert.doesNotMatch(emptied.faults.join(), /lenders/)
})

/** A margin account buys coins for more than three times its money. Their price falls by 80 % while the index is lost. */
function gap(stage: Stage, own: number, isHalted: boolean): void {
  const user = stage.attacker(own)
  stage.bots.set(BTC.spot, 'deep')
  stage.move(user, USDT, own * 1e6, 'spot', 'margin-cross')
  stage.pass(5000)
  for (let n = 0; n < 10; n++) {
    const price = stage.price(BTC)
    const now = { timeInForce: 'IOC', margin: { account: 'margin-cross', borrow: 'borrow' } }
    stage.spot(user, BTC, 'buy', lotsFor(BTC, own * 0.32, price), price * 1.006, now)
    stage.pass(4000)
  }
  stage.feed(BTC, 'bad')
  stage.pass(1000)
  if (isHalted) stage.must({ type: 'market.set', market: BTC.spot, terms: { ...marketTerms(BTC, false), isTrading: false } })
  stage.shock(BTC, -0.8)
}

test('REDTEAM-HARNESS-002: outside prices have no trend and move like recorded ones', () => {
  const moves: number[] = []
  const path = new Path(new Random(7))
  for (let n = 0; n < 200_000; n++) {
    const before = path.of(BTC)
    path.step()
    moves.push(path.of(BTC) / before - 1)
  }
  const mean = moves.reduce((sum, move) => sum + move, 0) / moves.length
  assert.ok(Math.abs(mean) < 3 * (spread(moves) / Math.sqrt(moves.length)))
  const file = resolve(recordings, 'spot_btcusdt_20240808.gz')
  // Without the recording, its known result is used.
  const recorded = existsSync(file) ? spread(recordedMoves(file)) : 5.9e-5
  assert.ok(spread(moves) > 0.7 * recorded && spread(moves) < 1.4 * recorded, `${spread(moves)} against ${recorded}`)
  const jumps = existsSync(file) ? jumpsOf(recordedMoves(file)) : 0.0116
  assert.ok(jumpsOf(moves) > 0.7 * jumps && jumpsOf(moves) < 1.4 * jumps, `${jumpsOf(moves)} against ${jumps}`)
})

/** Part of the moves that are larger than four times the spread; of normal ones it would be 0.00006. */
function jumpsOf(moves: readonly number[]): number {
  const large = 4 * spread(moves)
  return moves.filter((move) => Math.abs(move) > large).length / moves.length
}

/** Moves of the last trade's price in each quarter of a second. */
function recordedMoves(file: string): readonly number[] {
  const trades = gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .filter((line) => line.includes('@trade"'))
    .map((line) => ({ at: Number(line.slice(0, line.indexOf(' '))) / 1e6, price: Number(/"p":"([\d.]+)"/.exec(line)?.[1]) }))
  const moves: number[] = []
  let next = trades[0]!.at + stepMs
  let last = trades[0]!.price
  let before = last
  for (const { at, price } of trades) {
    for (; at >= next; next += stepMs) {
      moves.push(last / before - 1)
      before = last
    }
    last = price
  }
  return moves
}

function spread(moves: readonly number[]): number {
  return Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length)
}
