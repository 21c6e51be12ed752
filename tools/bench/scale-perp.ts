/**
 * What index ticks, funding, liquidations and deleveragings of futures cost per command when many accounts hold positions.
 *
 *   node tools/bench/scale-perp.ts [--accounts N]
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import { numberAfter, say } from './report.ts'

/**
 * Of one happening: its commands (the clock ticks that go on with it included), how often it happened, and the time of the
 * dearest command and of all, in ms.
 */
export type PerpCost = {
  readonly what: string
  readonly commands: number
  readonly happened: number
  readonly worstMs: number
  readonly wholeMs: number
}

const runs = 3
const start = 1_750_000_000_000
const hours8 = 8 * 3_600_000
const usdt = 1_000_000
const [bitcoin, ether] = [50_000, 2500]
/** Isolated positions of ten times leverage, which a fall of 8 % liquidates and one of 12 % ruins. */
const thin = 1000

/**
 * Builds an exchange with so many cross accounts that are short bitcoin and long ether, a thousand thin isolated longs, and
 * lets prices and time do what they do. Each happening is run three times from the same state; a command counts for the
 * least that it took, so that noise does not count.
 */
export function measurePerp(accounts: number): readonly PerpCost[] {
  const dump = crowd(accounts).exchange.dump()
  const happenings: readonly (readonly [what: string, told: Event['type'], act: (run: Run) => void])[] = [
    ['index tick, nobody close', 'perp.marked', (run) => run.prices(bitcoin - 5, ether + 1)],
    ['index tick of 3 %', 'perp.marked', (run) => run.prices(bitcoin * 0.97, ether * 1.03)],
    ['funding of all positions', 'perp.fundingPaid', (run) => run.passes((Math.floor(run.at / hours8) + 1) * hours8 - run.at)],
    [
      'liquidations through the book',
      'perp.liquidated',
      (run) => {
        run.bids(bitcoin * 0.905, thin * 1000)
        run.prices(bitcoin * 0.915, ether)
      },
    ],
    ['deleveragings', 'perp.deleveraged', (run) => run.prices(bitcoin * 0.88, ether)],
  ]
  return happenings.map(([what, told, act]) => {
    const all = Array.from({ length: runs }, () => {
      const run = new Run(Exchange.restore(dump))
      // What a restored exchange looks up for the first time is no part of it.
      run.prices(bitcoin, ether)
      run.goesOn()
      collect()
      run.costs.length = 0
      run.happened.clear()
      act(run)
      run.goesOn()
      return run
    })
    const costs = all[0]!.costs.map((_, i) => Math.min(...all.map((one) => one.costs[i]!)))
    const happened = all[0]!.happened.get(told) ?? 0
    return { what, commands: costs.length, happened, worstMs: Math.max(...costs), wholeMs: costs.reduce((sum, cost) => sum + cost, 0) }
  })
}

/** What was read for the restore is no garbage of the commands that are measured. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  gc()
}

/** Commands one after another, with what each took. */
class Run {
  readonly exchange: Exchange
  readonly costs: number[] = []
  readonly happened = new Map<string, number>()
  readonly #commands = new Records()
  readonly #events = new Records(2 ** 20)
  at: number

  constructor(exchange: Exchange) {
    this.exchange = exchange
    this.at = Math.max(start, exchange.atMs)
  }

  does(command: object, isCounted = true): OutcomeEvent {
    this.#commands.length = 0
    this.#events.length = 0
    encodeCommand(command as Command, { seq: this.exchange.seq + 1, at: this.at, keyId: 0 }, this.#commands)
    const before = performance.now()
    this.exchange.execute(this.#commands.data, 0, this.#events)
    if (isCounted) this.costs.push(performance.now() - before)
    const events = decodeEvents(this.#events.data, 0, this.#events.length)
    for (const { type } of events) this.happened.set(type, (this.happened.get(type) ?? 0) + 1)
    const outcome = events.at(-1) as OutcomeEvent
    if (outcome.refusal !== undefined) throw new Error(`${JSON.stringify(command)}: ${outcome.refusal}`)
    return outcome
  }

  prices(...whole: number[]): void {
    this.at += 250
    const prices = whole.map((price, i) => ({ market: i + 1, price: Math.round(price * 1e8), sources: 5, isGood: true }))
    this.does({ type: 'index.tick', prices })
  }

  /** The clock until nothing is due at this time; without a step it would never end. */
  goesOn(): void {
    for (let n = 0; this.exchange.nextDueAtMs <= this.at; n++) {
      if (n > 20_000) throw new Error('the clock never ends')
      this.does({ type: 'clock.tick' })
    }
  }

  passes(ms: number): void {
    this.at += ms
    this.prices(bitcoin, ether)
  }

  bids(price: number, lots: number): void {
    const order = { ...limitOrder, market: 3, side: 'buy', price: Math.round(price * 10), lots }
    this.does({ type: 'perp.place', user: 1, ...order }, false)
  }
}

const limitOrder = {
  ...{ clientId: '', position: 'both', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, isReduceOnly: false },
  ...{ isClosing: false, triggerBy: 'last', selfTrade: 'expire-taker' },
}

const marketTerms = {
  ...{ makerFeePpm: 200, takerFeePpm: 500, notionalMin: 1000, lotsMin: 1, lotsMax: 1e10, bandPpm: 300_000 },
  ...{ slippagePpm: 150_000, openOrdersMax: 200, isTrading: true },
}

const perpTerms = {
  ...{ leverageMax: 10, tiers: [{ valueMax: 2 ** 46, initialPpm: 100_000, maintenancePpm: 25_000 }] },
  ...{ fundingHours: 8, fundingInterest: 100_000, fundingStretch: 500_000, fundingCap: 7_500_000, impactValue: 10_000 * usdt },
  ...{ markClampPpm: 10_000, basisWindowMs: 30_000, liquidationFeePpm: 5000, liquidationStepPpm: 1_000_000 },
  ...{ openInterestMax: 2 ** 52, userInterestPpm: 1_000_000, carryPpm: 200_000 },
}

/** Two markets with contracts (3 and 4), a house that is on the other side of all, and the crowd. */
function crowd(accounts: number): Run {
  const run = new Run(Exchange.create())
  const does = (command: object): OutcomeEvent => run.does(command, false)
  does({ type: 'asset.list', symbol: 'USDT', scale: 6 })
  does({ type: 'asset.list', symbol: 'BTC', scale: 8 })
  does({ type: 'asset.list', symbol: 'ETH', scale: 8 })
  const coins = [
    { symbol: 'BTCUSDT', base: 2, quote: 1, tick: '0.1', lot: '0.00001', terms: marketTerms },
    { symbol: 'ETHUSDT', base: 3, quote: 1, tick: '0.01', lot: '0.0001', terms: marketTerms },
  ]
  for (const coin of coins) does({ type: 'market.list', ...coin })
  coins.forEach((coin, i) => does({ type: 'perp.list', ...coin, symbol: `${coin.symbol}PERP`, perp: { ...perpTerms, index: i + 1 } }))
  run.prices(bitcoin, ether)
  const opens = (money: number): number => {
    const { user } = does({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 })
    does({ type: 'user.certify', user, isCertified: true })
    does({ type: 'funds.faucet', user, clientId: '', asset: 1, amount: money * usdt })
    does({ type: 'funds.transfer', user, clientId: '', asset: 1, from: 'spot', to: 'perp', amount: money * usdt })
    return user
  }
  const place = (user: number, market: number, side: string, price: number, lots: number): unknown =>
    does({ type: 'perp.place', user, ...limitOrder, market, side, price, lots })
  // The house is on the other side of all, and never comes near its liquidation.
  const house = opens(400_000_000)
  const [tickOfBitcoin, tickOfEther] = [bitcoin * 10, ether * 100]
  place(house, 3, 'buy', tickOfBitcoin, accounts * 20)
  place(house, 4, 'sell', tickOfEther, accounts * 40)
  for (let n = 0; n < accounts; n++) {
    const user = opens(40)
    for (const market of [3, 4]) does({ type: 'perp.setMarginMode', user, market, mode: 'cross' })
    // 10 USDT each way: they are the queue behind which the thin ones are closed.
    place(user, 3, 'sell', tickOfBitcoin, 20)
    place(user, 4, 'buy', tickOfEther, 40)
  }
  place(house, 3, 'sell', tickOfBitcoin, thin * 200)
  for (let n = 0; n < thin; n++) {
    const user = opens(30)
    does({ type: 'perp.setLeverage', user, market: 3, leverage: 10 })
    place(user, 3, 'buy', tickOfBitcoin, 200)
  }
  return run
}

if (process.argv[1] === import.meta.filename) {
  for (const { what, commands, happened, worstMs, wholeMs } of measurePerp(numberAfter('--accounts', 100_000))) {
    say(`${what}: ${happened} in ${commands} commands, ${worstMs.toFixed(2)} ms the dearest, ${wholeMs.toFixed(0)} ms all`)
  }
}
