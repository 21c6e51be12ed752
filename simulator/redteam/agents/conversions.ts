import type { QuoteNumber, UserId } from '@candor/core/protocol/ids.ts'
import { slippageOf } from '../../bots/hedger.ts'
import { BTC, type Coin, coins, DOGE, ETH, lotsFor, USDT } from '../coins.ts'
import type { Stage } from '../stage.ts'

/** Part of what is received that the inventory keeps. */
const spread = 0.001
/** Value of each coin in the inventory, in USDT. */
const stocked = 1_000_000

/** Opens conversions with the default terms, a full inventory and books. Returns the hedger. */
function open(stage: Stage): number {
  const hedger = stage.customer(0)
  stage.must({ type: 'user.house', user: hedger, isHouse: true })
  const shelves = [
    { asset: USDT, units: stocked * 1e6 },
    ...coins.map((coin) => ({ asset: coin.asset, units: Math.floor((stocked / stage.price(coin)) * 10 ** coin.scale) })),
  ]
  for (const { asset, units: amount } of shelves) stage.must({ type: 'funds.system', account: 'convert-inventory', asset, amount })
  const terms = {
    ...{ isOpen: true, spreadPpm: spread * 1e6, validMs: 8000, delayMs: 1500, waitMs: 10_000, driftPpm: 800, bookPpm: 10_000 },
    ...{ min: 5e6, max: 50_000e6, userMax: 2_000_000e6, hedger },
    shelves: shelves.map(({ asset, units: target }) => ({ asset, target, band: Math.floor(target * 0.8) })),
  }
  stage.must({ type: 'convert.setTerms', terms })
  for (const { spot } of coins) stage.bots.set(spot, 'deep')
  stage.pass(1000)
  return hedger
}

/** Asks for a quote about all that the user has of an asset. */
function ask(stage: Stage, user: number, from: number, to: number, most = Infinity): QuoteNumber | undefined {
  const amount = Math.min(stage.available(user, from, 'spot'), most)
  if (amount <= 0) return undefined
  const { refusal } = stage.run({ type: 'convert.quote', user, clientId: '', from, to, amount, isGet: false })
  return refusal === undefined ? stage.desk.exchange.convert.standing(user as UserId).quote?.quote : undefined
}

/** Accepts, and lets the index decide. */
function accept(stage: Stage, user: number, quote: QuoteNumber | undefined): void {
  if (quote !== undefined) stage.run({ type: 'convert.accept', user, quote })
  stage.pass(2500)
}

/** Converts around through all coins, in both directions, whatever the prices are at the moment. */
export function conversionLoop(stage: Stage): void {
  open(stage)
  const user = stage.attacker(40_000)
  const ways = [
    [USDT, BTC.asset, ETH.asset, USDT],
    [USDT, DOGE.asset, BTC.asset, USDT],
    [USDT, ETH.asset, DOGE.asset, BTC.asset, USDT],
  ]
  for (const way of ways) for (let n = 1; n < way.length; n++) accept(stage, user, ask(stage, user, way[n - 1]!, way[n]!, 20_000e6))
  for (const { asset } of coins) accept(stage, user, ask(stage, user, asset, USDT))
}

/**
 * Holds quotes in both directions and waits until just before their end: accepts only the one that the outside price has made better in
 * the meantime, before the index has followed.
 */
export function staleQuote(stage: Stage): void {
  open(stage)
  const [buyer, seller] = [stage.attacker(40_000), stage.attacker(40_000)]
  stage.spot(seller, BTC, 'buy', lotsFor(BTC, 30_000, stage.price(BTC)), stage.price(BTC) * 1.01, { timeInForce: 'IOC' })
  for (let n = 0; n < 12; n++) {
    const before = stage.price(BTC)
    const [buys, sells] = [ask(stage, buyer, USDT, BTC.asset, 5_000e6), ask(stage, seller, BTC.asset, USDT)]
    let moved = 0
    stage.pass(7250, () => (moved = stage.price(BTC) / before - 1))
    // The jump that the attacker sees a moment before the exchange.
    if (n % 3 === 0) stage.path.shock(BTC, moved > 0 ? 0.0007 : -0.0007)
    if (moved > 0.0002) accept(stage, buyer, buys)
    else if (moved < -0.0002) accept(stage, seller, sells)
  }
}

/** Sweeps the book, converts so that the hedger must buy, and sells to it at the worst price that it takes. */
export function hedgerFront(stage: Stage): void {
  const hedger = open(stage)
  const user = stage.attacker(200_000)
  const friend = stage.attacker(200_000)
  stage.spot(friend, BTC, 'buy', lotsFor(BTC, 60_000, stage.price(BTC)), stage.price(BTC) * 1.01, { timeInForce: 'IOC' })
  for (let n = 0; n < 4; n++) {
    accept(stage, user, ask(stage, user, USDT, BTC.asset, 40_000e6))
    stage.bots.set(BTC.spot, 'none')
    stage.cancelAll(1, BTC.spot)
    const worst = stage.price(BTC) * (1 + slippageOf(String(spread * 100)))
    stage.spot(friend, BTC, 'sell', Math.floor(stage.available(friend, BTC.asset, 'spot') / BTC.basePerLot), worst)
    hedge(stage, hedger, BTC, worst)
    stage.cancelAll(friend, BTC.spot)
    stage.bots.set(BTC.spot, 'deep')
    stage.pass(1000)
    // The coins of the conversion are what the friend sells next.
    accept(stage, user, ask(stage, user, BTC.asset, USDT))
  }
}

/** What the hedger's program does when a coin is short: takes USDT above their target, buys, and gives all back. */
function hedge(stage: Stage, hedger: number, coin: Coin, price: number): void {
  const rows = stage.desk.exchange.convert.inventory()
  const [usdt, short] = [USDT, coin.asset].map((asset) => rows.find((row) => row.asset === asset)!)
  const amount = Math.min(usdt!.available - usdt!.target, (((short!.target - short!.expected) * price) / 10 ** coin.scale) * 1e6)
  if (!(amount > 0)) return
  const move = (asset: number, units: number, isTaking: boolean) =>
    stage.run({ type: 'convert.hedge', user: hedger, clientId: '', asset, amount: Math.floor(units), isTaking })
  move(USDT, amount, true)
  stage.spot(hedger, coin, 'buy', lotsFor(coin, amount / 1e6, price), price, { timeInForce: 'IOC' })
  for (const asset of [USDT, coin.asset]) move(asset, stage.available(hedger, asset, 'spot'), false)
}
