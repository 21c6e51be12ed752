/** Cost per command of index ticks, hourly interest and new terms when many margin accounts have debts. */
import { Exchange } from '../../../core/exchange/exchange.ts'
import type { AssetId } from '../../../core/protocol/ids.ts'
import { firstMarginTerms } from '../../../core/risk/margin-terms.ts'
import { numberAfter, say } from '../report.ts'
import { measure, Run } from './run.ts'
import type { Cost, Happening } from './run.ts'

const hourMs = 3_600_000
const assets = ['USDT', 'BTC', 'ETH'] as const
const [usdt, btc] = [1e6, 1e8]
const marginTerms = firstMarginTerms(
  6,
  assets.map((symbol, i) => ({ id: (i + 1) as AssetId, symbol })),
)

const happenings = (accounts: number): readonly Happening[] => [
  { what: 'index tick over margin accounts', told: 'index.ticked', act: (run) => run.prices(49_990, 2_499) },
  { what: 'index tick of 5 %', told: 'index.ticked', act: (run) => run.prices(47_500, 2_400) },
  { what: 'index tick that warns half of all', told: 'margin.level', act: (run) => run.prices(23_500, 1_180) },
  {
    what: 'index tick that liquidates half of all',
    told: 'margin.liquidated',
    act: (run) => {
      run.prices(23_500, 1_180)
      run.goesOn()
      quote(run, 'buy', 222_000, Math.min(1_000_000_000, accounts * 150))
      run.prices(22_300, 1_115)
    },
  },
  { what: 'a full hour of interest', told: 'margin.loan', act: (run) => run.passes(hourMs) },
  { what: 'new terms of margin', told: 'margin.terms', act: (run) => run.does({ type: 'margin.setTerms', terms: marginTerms }) },
]

/**
 * Builds an exchange with this many cross accounts that hold BTC and ETH and owe USDT, half of them close to their warning level,
 * and measures changes of prices, hours and terms.
 */
export function measureMargin(accounts: number): Cost[] {
  return measure(crowd(accounts).exchange.dump(), happenings(accounts), (run) => run.prices(50_000, 2_500))
}

const maker = 2

/** Places a limit order of the maker in BTCUSDT (tick 0.1, lot 0.0001). */
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
  const open = (): unknown => run.does({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 })
  const own = (user: number, asset: number, amount: number): void => {
    run.does({ type: 'user.certify', user, isCertified: true })
    run.does({ type: 'funds.faucet', user, clientId: '', asset, amount })
  }
  open()
  own(1, 1, accounts * 2_000 * usdt)
  run.does({ type: 'lend.supply', user: 1, clientId: '', asset: 1, amount: accounts * 1_000 * usdt })
  // The maker sells the coins, and buys them back when accounts are liquidated.
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
    // 1,000 USDT worth of coins, and the coins that the loan bought: every second account owes 690, the others 300.
    const order = { side: 'buy', orderType: 'limit', timeInForce: 'IOC', price: 500_000, lots: user % 2 === 0 ? 138 : 60 }
    const kind = { clientId: '', market: 1, isPostOnly: false, selfTrade: 'expire-maker' }
    run.does({ type: 'spot.place', user, ...kind, ...order, margin: { account: 'margin-cross', borrow: 'borrow' } })
    run.costs.length = 0
  }
  run.goesOn()
  return run
}

if (process.argv[1] === import.meta.filename) {
  for (const { what, commands, happened, worstMs, worst, wholeMs } of measureMargin(numberAfter('--accounts', 100_000))) {
    say(
      `${what}: ${happened} in ${commands} commands, ${worstMs.toFixed(2)} ms the most expensive (${worst}), ${wholeMs.toFixed(0)} ms all`,
    )
  }
}
