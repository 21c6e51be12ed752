/**
 * Duration of an index tick that moves the mark price over open positions: half of them isolated, half in cross accounts, longs and
 * shorts, none to be liquidated. The mean processor time, which other processes hardly change, must stay within 5 ms. The last
 * figure is a tick at which every long position is past its bankruptcy price.
 *
 *   node tools/bench/mark.ts [--json] [--positions N] [--ticks N]
 */
import assert from 'node:assert/strict'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import { median, numberAfter, say } from './report.ts'

const positions = numberAfter('--positions', 10_000)
const ticks = numberAfter('--ticks', 400)
const limitMs = 5
const price = 60_000

const exchange = Exchange.create()
const commands = new Records()
const events = new Records(2 ** 20)
let atMs = 1_750_000_000_000

prepare()
const before = process.threadCpuUsage()
const quiet = measure(ticks, true, (tick) => price * (1 + Math.sin(tick / 40) / 100))
const { user, system } = process.threadCpuUsage(before)
const value = rounded((user + system) / 1000 / ticks)
const crash = rounded(measure(1, false, () => price * 0.6)[0]!)
const clock = rounded(median(quiet))
say(`a tick over ${positions} positions: ${value} ms of the processor (at most ${limitMs}), median ${clock} ms by the clock`)
say(`a tick with every long position past its bankruptcy price: ${crash} ms by the clock`)
process.stdout.write(`${JSON.stringify({ name: 'mark', value, limit: limitMs, clock, crash })}\n`)
process.exit(value <= limitMs ? 0 : 1)

/** Creates two spot assets, a futures market, and pairs of users who hold its two sides. */
function prepare(): void {
  const terms = { makerFeePpm: 200, takerFeePpm: 500, notionalMin: 5_000_000, lotsMin: 1, lotsMax: 1e9, bandPpm: 200_000 }
  const market = {
    base: 2,
    quote: 1,
    tick: '0.1',
    lot: '0.00001',
    terms: { ...terms, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true },
  }
  run({ type: 'asset.list', symbol: 'USDT', scale: 6 })
  run({ type: 'asset.list', symbol: 'BTC', scale: 8 })
  run({ type: 'market.list', symbol: 'BTCUSDT', ...market })
  const tiers = [{ valueMax: 2 ** 46, initialPpm: 100_000, maintenancePpm: 25_000 }]
  const funding = { fundingHours: 8, fundingInterest: 100_000, fundingStretch: 500_000, fundingCap: 7_500_000 }
  const mark = { impactValue: 10_000_000_000, markClampPpm: 10_000, basisWindowMs: 30_000 }
  const liquidation = { liquidationFeePpm: 5000, liquidationStepPpm: 250_000 }
  const caps = { openInterestMax: 2 ** 50, userInterestPpm: 1_000_000, carryPpm: 200_000 }
  run({
    type: 'perp.list',
    symbol: 'BTCUSDTPERP',
    ...market,
    perp: { index: 1, leverageMax: 10, tiers, ...funding, ...mark, ...liquidation, ...caps },
  })
  tick(price)
  let opened = 0
  for (let pair = 0; pair < positions / 2; pair++) {
    for (const side of ['sell', 'buy']) {
      const { user } = run({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 })
      run({ type: 'user.certify', user, isCertified: true })
      run({ type: 'funds.faucet', user, clientId: '', asset: 1, amount: 2_000_000_000 })
      run({ type: 'funds.transfer', user, clientId: '', asset: 1, from: 'spot', to: 'perp', amount: 2_000_000_000 })
      run({ type: 'perp.setLeverage', user, market: 2, leverage: 3 })
      if (pair % 2 === 0) run({ type: 'perp.setMarginMode', user, market: 2, mode: 'cross' })
      const order = {
        clientId: '',
        market: 2,
        side,
        position: 'both',
        orderType: 'limit',
        timeInForce: 'GTC',
        price: price * 10,
        lots: 5000,
      }
      const shape = { isPostOnly: false, isReduceOnly: false, isClosing: false, triggerBy: 'last', selfTrade: 'expire-taker' }
      run({ type: 'perp.place', user, ...order, ...shape })
      if (side === 'buy') opened += decodeEvents(events.data, 0, events.length).filter((event) => event.type === 'perp.position').length
    }
  }
  assert.deepEqual(exchange.trialBalance().violations, [])
  assert.equal(opened, positions, 'every user has a position')
}

function measure(count: number, isQuiet: boolean, priceAt: (tick: number) => number): number[] {
  return Array.from({ length: count }, (_, n) => {
    const started = performance.now()
    tick(priceAt(n + 1))
    const ms = performance.now() - started
    if (isQuiet) assert.ok(!decodeEvents(events.data, 0, events.length).some(({ type }) => type === 'perp.liquidated'), 'a quiet tick')
    return ms
  })
}

function tick(index: number): void {
  run({ type: 'index.tick', prices: [{ market: 1, price: Math.round(index * 1e8), sources: 5, isGood: true }] })
}

function run(command: object): OutcomeEvent {
  commands.clear()
  events.clear()
  atMs += 250
  encodeCommand(command as Command, { seq: exchange.seq + 1, at: atMs, keyId: 0 }, commands)
  exchange.execute(commands.data, 0, events)
  const outcome = decodeEvents(events.data, events.length - 7, events.length)[0] as OutcomeEvent
  assert.equal(outcome.refusal, undefined, JSON.stringify(command))
  return outcome
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
