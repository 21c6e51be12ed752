/**
 * What index ticks, funding, liquidations and deleveragings of futures cost per command when many accounts hold positions.
 *
 *   node tools/bench/scale/perp.ts [--accounts N]
 */
import { Exchange } from '../../../core/exchange/exchange.ts'
import type { OutcomeEvent } from '../../../core/protocol/event/index.ts'
import { numberAfter, say } from '../report.ts'
import { measure, Run } from './run.ts'
import type { Cost, Happening } from './run.ts'

const hours8 = 8 * 3_600_000
const usdt = 1_000_000
const [bitcoin, ether] = [50_000, 2500]
/** Number of isolated positions at ten times leverage: a fall of 8 % liquidates them, one of 12 % takes them past bankruptcy. */
const thin = 1000
/**
 * Orders in the book of each thin position, together as many as a market allows. The sells exceed the position, so that each
 * cancelled one changes which of the others would close it.
 */
const [buysEach, sellsEach] = [100, 100]

const happenings: readonly Happening[] = [
  { what: 'index tick, nobody close', told: 'perp.marked', act: (run) => run.prices(bitcoin - 5, ether + 1) },
  { what: 'index tick of 3 %', told: 'perp.marked', act: (run) => run.prices(bitcoin * 0.97, ether * 1.03) },
  {
    what: 'funding of all positions',
    told: 'perp.fundingPaid',
    act: (run) => {
      run.passes((Math.floor(run.at / hours8) + 1) * hours8 - run.at)
      run.prices(bitcoin, ether)
    },
  },
  {
    what: 'futures liquidations through the book, with 200 orders each',
    told: 'perp.liquidated',
    act: (run) => {
      const order = { ...limitOrder, market: 3, side: 'buy', price: Math.round(bitcoin * 9.05), lots: thin * 1000 }
      run.does({ type: 'perp.place', user: 1, ...order }, false)
      run.prices(bitcoin * 0.915, ether)
    },
  },
  { what: 'deleveragings, with 200 orders each', told: 'perp.deleveraged', act: (run) => run.prices(bitcoin * 0.88, ether) },
  {
    what: 'new terms of a futures market',
    told: 'market.changed',
    act: (run) => {
      const tiers = [{ valueMax: 2 ** 46, initialPpm: 100_000, maintenancePpm: 30_000 }]
      run.does({ type: 'perp.set', market: 3, terms: marketTerms, perp: { ...perpTerms, index: 1, tiers } })
    },
  },
]

/**
 * Builds an exchange with this many cross accounts that are short bitcoin and long ether, and a thousand thin isolated longs, and
 * measures changes of prices and time. Each thin position has a full list of orders, which its liquidation cancels first.
 */
export function measurePerp(accounts: number): Cost[] {
  return measure(crowd(accounts).exchange.dump(), happenings, (run) => run.prices(bitcoin, ether))
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

/** Creates two spot and two futures markets (3 and 4), a house account on the other side of every trade, and the crowd. */
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
  // The house is on the other side of every trade and never comes near liquidation.
  const house = opens(400_000_000)
  const [tickOfBitcoin, tickOfEther] = [bitcoin * 10, ether * 100]
  place(house, 3, 'buy', tickOfBitcoin, accounts * 20)
  place(house, 4, 'sell', tickOfEther, accounts * 40)
  for (let n = 0; n < accounts; n++) {
    const user = opens(40)
    for (const market of [3, 4]) does({ type: 'perp.setMarginMode', user, market, mode: 'cross' })
    // 10 USDT each way: these positions are the deleveraging queue for the thin ones.
    place(user, 3, 'sell', tickOfBitcoin, 20)
    place(user, 4, 'buy', tickOfEther, 40)
  }
  place(house, 3, 'sell', tickOfBitcoin, thin * 200)
  for (let n = 0; n < thin; n++) {
    const user = opens(40)
    does({ type: 'perp.setLeverage', user, market: 3, leverage: 10 })
    place(user, 3, 'buy', tickOfBitcoin, 200)
    for (let each = 0; each < buysEach; each++) place(user, 3, 'buy', tickOfBitcoin * 0.8 - each * 10, 2)
    for (let each = 0; each < sellsEach; each++) place(user, 3, 'sell', tickOfBitcoin * 1.1 + each * 10, 3)
  }
  return run
}

if (process.argv[1] === import.meta.filename) {
  for (const { what, commands, happened, worstMs, worst, wholeMs } of measurePerp(numberAfter('--accounts', 100_000))) {
    say(
      `${what}: ${happened} in ${commands} commands, ${worstMs.toFixed(2)} ms the most expensive (${worst}), ${wholeMs.toFixed(0)} ms all`,
    )
  }
}
