/** What index ticks, hours and new terms cost per command when many margin accounts owe. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Of one happening: its commands (the clock ticks that go on with it included), and the time of the dearest and of all, in ms. */
export type MarginCost = { readonly what: string; readonly commands: number; readonly worstMs: number; readonly wholeMs: number }

const runs = 3
const hourMs = 3_600_000
const start = 1_750_000_000_000
const assets = ['USDT', 'BTC', 'ETH'] as const
const [usdt, btc] = [1e6, 1e8]
const marginTerms = firstMarginTerms(
  6,
  assets.map((symbol, i) => ({ id: (i + 1) as AssetId, symbol })),
)

/**
 * Builds an exchange with so many cross accounts that hold BTC and ETH and owe USDT, half of them close to their warning,
 * and lets prices and time do what they do. Each happening is run three times from the same state; a command counts for
 * the least that it took, so that noise does not count.
 */
export function measureMargin(accounts: number): readonly MarginCost[] {
  const dump = crowd(accounts).exchange.dump()
  const happenings: readonly (readonly [what: string, act: (run: Run) => void])[] = [
    ['index tick, nobody near a border', (run) => run.prices(49_990, 2_499)],
    ['index tick of 5 %', (run) => run.prices(47_500, 2_400)],
    ['index tick that warns half of all', (run) => run.prices(23_500, 1_180)],
    [
      'index tick that liquidates half of all',
      (run) => {
        run.passes(400_000)
        quote(run, 'buy', 222_000, Math.min(1_000_000_000, accounts * 150))
        run.prices(22_300, 1_115)
      },
    ],
    ['a full hour', (run) => run.passes(hourMs)],
    ['new terms', (run) => run.does({ type: 'margin.setTerms', terms: marginTerms })],
  ]
  return happenings.map(([what, act]) => {
    const all = Array.from({ length: runs }, () => {
      const run = new Run(Exchange.restore(dump))
      // What a restored exchange looks up for the first time is no part of it.
      run.prices(50_000, 2_500)
      run.goesOn()
      collect()
      run.costs.length = 0
      act(run)
      run.goesOn()
      return [...run.costs]
    })
    const costs = all[0]!.map((_, i) => Math.min(...all.map((one) => one[i]!)))
    return { what, commands: costs.length, worstMs: Math.max(...costs), wholeMs: costs.reduce((sum, cost) => sum + cost, 0) }
  })
}

/** What was read for the restore is no garbage of the commands that are measured. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  gc()
}

/** Commands one after another, with what each cost. */
class Run {
  readonly exchange: Exchange
  readonly costs: number[] = []
  readonly #commands = new Records()
  readonly #events = new Records()
  #at: number

  constructor(exchange: Exchange) {
    this.exchange = exchange
    this.#at = Math.max(start, exchange.atMs)
  }

  does(command: object): void {
    this.#commands.length = 0
    this.#events.length = 0
    encodeCommand(command as Command, { seq: this.exchange.seq + 1, at: this.#at, keyId: 0 }, this.#commands)
    const before = performance.now()
    this.exchange.execute(this.#commands.data, 0, this.#events)
    this.costs.push(performance.now() - before)
  }

  prices(bitcoin: number, ether: number): void {
    const price = (market: number, value: number) => ({ market, price: Math.round(value * 1e8), sources: 4, isGood: true })
    this.does({ type: 'index.tick', prices: [price(1, bitcoin), price(2, ether)] })
  }

  passes(ms: number): void {
    this.#at += ms
  }

  /** The clock, as long as something is due. */
  goesOn(): void {
    while (this.exchange.nextDueAtMs <= this.#at) this.does({ type: 'clock.tick' })
  }
}

const maker = 2

/** So many lots of the maker at a price (tick 0.1, lot 0.0001) in BTCUSDT. */
function quote(run: Run, side: 'buy' | 'sell', price: number, lots: number): void {
  const kind = { clientId: '', market: 1, isPostOnly: false, selfTrade: 'expire-maker', orderType: 'limit', timeInForce: 'GTC' }
  run.does({ type: 'spot.cancelAll', user: maker, clientId: '', market: 0 })
  run.does({ type: 'spot.place', user: maker, ...kind, side, price, lots })
}

function crowd(accounts: number): Run {
  const run = new Run(Exchange.create())
  const terms = { makerFeePpm: 1000, takerFeePpm: 1000, notionalMin: 5 * usdt, lotsMin: 1, lotsMax: 1_000_000_000 }
  const rest = { bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true }
  for (const symbol of assets) run.does({ type: 'asset.list', symbol, scale: symbol === 'USDT' ? 6 : 8 })
  for (const base of [2, 3]) {
    const symbol = `${assets[base - 1]}USDT`
    run.does({ type: 'market.list', symbol, base, quote: 1, tick: '0.1', lot: '0.0001', terms: { ...terms, ...rest } })
  }
  run.does({ type: 'margin.setTerms', terms: marginTerms })
  run.prices(50_000, 2_500)
  const open = (): void => run.does({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 })
  const own = (user: number, asset: number, amount: number): void => {
    run.does({ type: 'user.certify', user, isCertified: true })
    run.does({ type: 'funds.faucet', user, clientId: '', asset, amount })
  }
  open()
  own(1, 1, accounts * 2_000 * usdt)
  run.does({ type: 'lend.supply', user: 1, clientId: '', asset: 1, amount: accounts * 1_000 * usdt })
  // Who sells the coins, and buys them back when accounts are liquidated.
  open()
  own(maker, 2, accounts * 0.1 * btc)
  own(maker, 1, accounts * 2_000 * usdt)
  quote(run, 'sell', 500_000, accounts * 150)
  for (let user = maker + 1; user <= accounts + maker; user++) {
    open()
    for (const [asset, amount] of [
      [2, 0.01 * btc],
      [3, 0.2 * btc],
    ] as const) {
      own(user, asset, amount)
      run.does({ type: 'funds.transfer', user, clientId: '', asset, amount, from: 'spot', to: 'margin-cross' })
    }
    // 1,000 of coins and what the loan bought: every second one owes 690, the others 300.
    const order = { side: 'buy', orderType: 'limit', timeInForce: 'IOC', price: 500_000, lots: user % 2 === 0 ? 138 : 60 }
    const kind = { clientId: '', market: 1, isPostOnly: false, selfTrade: 'expire-maker' }
    run.does({ type: 'spot.place', user, ...kind, ...order, margin: { account: 'margin-cross', borrow: 'borrow' } })
    run.costs.length = 0
  }
  run.goesOn()
  return run
}
