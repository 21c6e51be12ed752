import assert from 'node:assert/strict'
import type { Ppm, Units } from '../../../money/brand.ts'
import { parseUnits } from '../../../money/units.ts'
import type { MarginTerms } from '../../../protocol/command/margin.ts'
import type { AssetId, MarketId } from '../../../protocol/ids.ts'
import type { ClaimView, MarginAccount, MarginBalance, PoolView } from '../../../protocol/port.ts'
import { firstMarginTerms } from '../../../risk/margin-terms.ts'
import { Exchange } from '../../exchange.ts'
import { given, scales } from '../../test/world.ts'
import type { Told, World } from '../../test/world.ts'

type AssetName = keyof typeof scales
const ids = { USDT: 1, BTC: 2, ETH: 3 } as const
/** An index price from USDT, with eight decimals. */
const index = (price: number): number => Math.round(price * 1e8)

export const terms: MarginTerms = firstMarginTerms(6, [
  { id: 2 as AssetId, symbol: 'BTC' },
  { id: 3 as AssetId, symbol: 'ETH' },
])
/** Terms that allow amounts of any size. */
export const free: Partial<MarginTerms> = {
  weights: [],
  weightPpm: 1_000_000 as Ppm,
  userSharePpm: 1_000_000 as Ppm,
  loanMin: 0 as Units,
  supplyMin: 0 as Units,
}
export const btcusdt = 1 as MarketId
export const ethbtc = 2 as MarketId
export const ethusdt = 3 as MarketId

/** Units of a decimal amount of an asset. */
export function units(asset: AssetName, amount: string): number {
  const found = parseUnits(amount, scales[asset])
  assert.ok(found !== undefined, `${amount} ${asset}`)
  return found
}

/** Shorthands for commands of borrowers and lenders, in a world where BTC is worth 50,000 USDT and ETH 2,500. */
export class MarginWorld {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** Verifies a user, and credits the user's spot account. */
  user(name: string, funds: Partial<Record<AssetName, string>> = {}): this {
    this.world.do({ type: 'user.certify', user: this.world.user(name), isCertified: true }).isAccepted()
    for (const [asset, amount] of Object.entries(funds)) this.world.gives(name, asset as AssetName, amount)
    return this
  }

  supply(name: string, asset: AssetName, amount: string): Told {
    return this.#lend('lend.supply', name, asset, amount)
  }

  withdraw(name: string, asset: AssetName, amount: string): Told {
    return this.#lend('lend.withdraw', name, asset, amount)
  }

  cancel(name: string, asset: AssetName): Told {
    return this.world.do({ type: 'lend.cancelWithdraw', user: this.world.user(name), clientId: '', asset: ids[asset] })
  }

  /** Borrows in the account of a market; 0: cross. */
  borrow(name: string, asset: AssetName, amount: string, market = 0): Told {
    return this.#loan('margin.borrow', name, asset, amount, market)
  }

  repay(name: string, asset: AssetName, amount: string, market = 0): Told {
    return this.#loan('margin.repay', name, asset, amount, market)
  }

  /** Transfers from spot into a margin account. */
  enter(name: string, asset: AssetName, amount: string, market = 0): Told {
    return this.transfer(name, asset, amount, 'spot', desk(market), market)
  }

  leave(name: string, asset: AssetName, amount: string, market = 0): Told {
    return this.transfer(name, asset, amount, desk(market), 'spot', market)
  }

  transfer(name: string, asset: AssetName, amount: string, from: string, to: string, market = 0): Told {
    const where = market === 0 ? {} : { market }
    const what = { user: this.world.user(name), clientId: '', asset: ids[asset], amount: units(asset, amount), from, to }
    return this.world.do({ type: 'funds.transfer', ...what, ...where })
  }

  /** An index tick with prices in USDT. */
  prices(btc: number, eth: number, isGood = true): Told {
    const price = (market: number, value: number): object => ({ market, price: index(value), sources: isGood ? 4 : 2, isGood })
    return this.world.do({ type: 'index.tick', prices: [price(btcusdt, btc), price(ethusdt, eth)] }).isAccepted()
  }

  /** Lets time pass, and runs clock ticks whenever something is due. */
  waits(ms: number, hear: (told: Told) => void = () => undefined): this {
    const until = this.world.atMs + ms
    for (;;) {
      const due = this.world.exchange.nextDueAtMs
      if (due > until) break
      this.world.atMs = Math.max(this.world.atMs, due)
      hear(this.world.tick().isAccepted())
    }
    this.world.atMs = until
    return this
  }

  /** Asserts that the level of a user's cross account is the same in a copy that is restored from a dump. */
  keepsLevel(name: string): void {
    const { exchange } = this.world
    const level = this.account(name).levelPpm
    this.world.exchange = Exchange.restore(exchange.dump())
    assert.equal(level, this.account(name).levelPpm)
    this.world.exchange = exchange
  }

  account(name: string, market = 0): MarginAccount {
    const found = this.world.exchange.marginAccounts(this.world.user(name), market as MarketId).find((one) => one.market === market)
    assert.ok(found !== undefined)
    return found
  }

  balance(name: string, asset: AssetName, market = 0): MarginBalance {
    return this.account(name, market).balances.find((one) => one.asset === ids[asset])!
  }

  pool(asset: AssetName): PoolView {
    return this.world.exchange.pools().find((one) => one.asset === ids[asset])!
  }

  claim(name: string, asset: AssetName): ClaimView | undefined {
    return this.world.exchange.claims(this.world.user(name)).find((one) => one.asset === ids[asset])
  }

  /** Available balance of one of the exchange's own accounts. */
  system(name: string, asset: AssetName): number {
    const found = this.world.exchange
      .accounts()
      .find(({ account }) => 'system' in account && account.system === name && account.asset === ids[asset])
    return found?.available ?? 0
  }

  /** Lenders' interest of the running hour: the part of `lend-interest` that belongs neither to a claim nor to the insurance fund. */
  running(asset: AssetName): number {
    const { exchange, users } = this.world
    const interest = this.system('lend-interest', asset)
    const views = [...users.values()].flatMap((user) => exchange.claims(user)).filter((view) => view.asset === ids[asset])
    const pending = views.reduce((sum, view) => sum + view.pending, 0)
    const claims = views.reduce((sum, view) => sum + view.claim - view.pending, 0)
    const reserve = claims + interest - this.pool(asset).supplied
    return interest - reserve - pending
  }

  /** Available balance of a user's spot account. */
  spot(name: string, asset: AssetName): number {
    const own = this.world.exchange.balances(this.world.user(name))
    const found = own.find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === ids[asset])
    return found?.available ?? 0
  }

  #lend(type: string, name: string, asset: AssetName, amount: string): Told {
    return this.world.do({ type, user: this.world.user(name), clientId: '', asset: ids[asset], amount: units(asset, amount) })
  }

  #loan(type: string, name: string, asset: AssetName, amount: string, market: number): Told {
    const what = { user: this.world.user(name), clientId: '', market, asset: ids[asset], amount: units(asset, amount) }
    return this.world.do({ type, ...what })
  }
}

function desk(market: number): string {
  return market === 0 ? 'margin-cross' : 'margin-isolated'
}

/**
 * A world with open margin trading on `terms` with the changes of `changed`, and good prices. A lender supplied 1,000,000 USDT,
 * 100 BTC and 1,000 ETH an hour ago.
 */
export function open(changed: Partial<MarginTerms> = free): MarginWorld {
  const world = given()
  const spot = { makerFeePpm: 1000, takerFeePpm: 1000, notionalMin: 5_000_000, lotsMin: 1, lotsMax: 1_000_000_000 }
  const rest = { bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true }
  world
    .do({ type: 'market.list', symbol: 'ETHUSDT', base: 3, quote: 1, tick: '0.01', lot: '0.001', terms: { ...spot, ...rest } })
    .isAccepted()
  const desk = new MarginWorld(world)
  world.do({ type: 'margin.setTerms', terms: { ...terms, ...changed } }).isAccepted()
  desk.prices(50_000, 2_500)
  desk.user('lender', { USDT: '1000000', BTC: '100', ETH: '1000' })
  desk.supply('lender', 'USDT', '1000000').isAccepted()
  desk.supply('lender', 'BTC', '100').isAccepted()
  desk.supply('lender', 'ETH', '1000').isAccepted()
  world.atMs += 3_600_000
  desk.prices(50_000, 2_500)
  return desk
}
