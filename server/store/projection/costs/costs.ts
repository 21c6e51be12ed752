import {
  addDebt,
  addUnits,
  type CostBasis,
  costDigits,
  emptyBasis,
  indexWorth,
  sellUnits,
  takeDebt,
  takeUnits,
} from '@candor/core/risk/cost-basis.ts'
import type { IndexPrice, Units } from '@candor/core/money/brand.ts'
import type { EntryEvent, EntryReason, Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { ConversionFilled } from '@candor/core/protocol/event/convert.ts'
import type { LoanChanged } from '@candor/core/protocol/event/margin.ts'
import type { PresaleAllocated } from '@candor/core/protocol/event/presale.ts'
import type { AssetId, MarketId, UserId } from '@candor/core/protocol/ids.ts'
import { Columns, overwrite, type Statement } from '../columns.ts'
import type { Known } from '../known.ts'

/** What the tables hold of one coin of a user. */
export type HeldCost = CostBasis & { readonly user: UserId; readonly asset: AssetId }

/** State from which the costs continue. `indexes`: the last index price of each coin in USDT. */
export type CostStanding = { readonly held: Iterable<HeldCost>; readonly indexes: ReadonlyMap<AssetId, IndexPrice> }

/**
 * Entries that are told by another event with more in it, that move nothing between accounts, or that stay within the accounts of one
 * user.
 */
const passedOver: ReadonlySet<EntryReason> = new Set([
  ...(['trade', 'fee', 'convert', 'hold', 'release'] as const),
  ...(['transfer', 'supply', 'withdraw'] as const),
])
/** Coins that go out for these reasons are spent: their cost is a loss. */
const spent: ReadonlySet<EntryReason> = new Set(['repay', 'interest', 'insurance', 'liquidation-fee', 'withdrawal-fee'])

const assetsMax = 2 ** 12

/**
 * What each user's coins cost on average and what they earned, in USDT, over all accounts of the user together, so that transfers between
 * them change nothing. USDT itself costs 1 and has no row; accounts of the exchange, such as its bots, have none either.
 *
 *   bought, or received in a conversion   come in at what was paid; a fee in the coin leaves fewer of them for it
 *   sold, or given in a conversion        go out at the average; the profit is what they brought after the fee, less that
 *   deposits, practice funds, presales    come in at the index price, tokens without one at the price of their presale
 *   withdrawals                           go out at the average, without a profit
 *   borrowed                              come in at the index price, and are owed at it; repaid ones are spent
 */
export class CostProjection {
  readonly #known: Known
  readonly #bases = new Map<number, CostBasis>()
  readonly #changed = new Set<number>()
  readonly #indexes: Map<AssetId, IndexPrice>
  /** Tokens of a presale that were posted, and whose cost comes next. */
  #tokens: Amount | undefined
  readonly #rows = new Columns(
    'holding_costs',
    {
      ...({ user_id: 'bigint', asset: 'text', quantity: 'numeric', cost: 'numeric', realised: 'numeric' } as const),
      ...({ debt: 'numeric', debt_cost: 'numeric', is_partial: 'boolean' } as const),
    },
    `(user_id, asset) do update set ${overwrite('quantity', 'cost', 'realised', 'debt', 'debt_cost', 'is_partial')}`,
  )

  constructor(known: Known, { held, indexes }: CostStanding) {
    this.#known = known
    this.#indexes = new Map(indexes)
    for (const { user, asset, ...basis } of held) this.#bases.set(keyOf(user, asset), basis)
  }

  get size(): number {
    return this.#changed.size
  }

  apply(event: Event): void {
    switch (event.type) {
      case 'tape.extended':
        for (const { market, price } of event.prices) this.#price(market as MarketId, price as IndexPrice)
        return
      case 'traded':
        return this.#trade(event)
      case 'convert.filled':
        return this.#convert(event)
      case 'presale.allocated':
        return this.#allocate(event)
      case 'margin.loan':
        return this.#owe(event)
      case 'entry':
        return this.#post(event)
      default:
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const key of this.#changed) {
      const { symbol, scale } = this.#known.asset((key % assetsMax) as AssetId)
      const { quantity, cost, realised, debt, debtCost, isPartial } = this.#bases.get(key) as CostBasis
      this.#rows
        .add(Math.floor(key / assetsMax))
        .add(symbol)
        .addFixed(quantity, scale)
      this.#rows
        .addFixed(cost, costDigits)
        .addFixed(realised, costDigits)
        .addFixed(debt, scale)
        .addFixed(debtCost, costDigits)
        .add(isPartial)
    }
    this.#changed.clear()
    return [this.#rows.take()]
  }

  #price(market: MarketId, price: IndexPrice): void {
    const view = this.#known.market(market)
    if (view.market.perp === undefined && view.quote.symbol === 'USDT') this.#indexes.set(view.base.id, price)
  }

  /** Both sides of a trade. One of a user with themselves sells before it buys. */
  #trade({ market, lots, quote, takerSide, makerUser, takerUser, makerFee, takerFee }: Traded): void {
    const view = this.#known.market(market)
    if (view.market.perp !== undefined) return
    const isTakerBuyer = takerSide === 'buy'
    const [buyer, buyerFee] = isTakerBuyer ? [takerUser, takerFee] : [makerUser, makerFee]
    const [seller, sellerFee] = isTakerBuyer ? [makerUser, makerFee] : [takerUser, takerFee]
    const base = (lots * view.market.basePerLot) as Units
    const earned = (quote - sellerFee) as Units
    const sold = this.#worth(view.quote.id, earned) ?? this.#worth(view.base.id, base)
    this.#exchange(seller, { asset: view.base.id, units: base }, { asset: view.quote.id, units: earned }, sold)
    const paid = this.#worth(view.quote.id, quote) ?? this.#worth(view.base.id, base)
    this.#exchange(buyer, { asset: view.quote.id, units: quote }, { asset: view.base.id, units: (base - buyerFee) as Units }, paid)
  }

  #convert({ user, from, to, give, get, fromPrice }: ConversionFilled): void {
    const value = this.#isUsdt(to) ? BigInt(get) : this.#isUsdt(from) ? BigInt(give) : indexWorth(give, fromPrice, this.#known.asset(from))
    this.#exchange(user, { asset: from, units: give }, { asset: to, units: get }, value)
  }

  /** A user gives one coin for another. `value`: of both. */
  #exchange(user: UserId, given: Amount, received: Amount, value: bigint | undefined): void {
    const [out, into] = [this.#basis(user, given.asset), this.#basis(user, received.asset)]
    if (out !== undefined) sellUnits(out, given.units, value)
    if (into !== undefined) addUnits(into, received.units, value)
  }

  /** The entry of the tokens comes just before the event, which has their price. */
  #allocate({ user, cost }: PresaleAllocated): void {
    const tokens = this.#tokens
    this.#tokens = undefined
    const basis = tokens === undefined ? undefined : this.#basis(user, tokens.asset)
    if (basis !== undefined && tokens !== undefined) addUnits(basis, tokens.units, this.#worth(tokens.asset, tokens.units) ?? BigInt(cost))
  }

  #owe({ user, asset, cause, delta }: LoanChanged): void {
    const basis = this.#basis(user, asset)
    if (basis === undefined) return
    if (delta < 0) takeDebt(basis, -delta as Units)
    else addDebt(basis, delta, this.#worth(asset, delta), cause === 'interest')
  }

  #post({ account, reason, delta, heldDelta }: EntryEvent): void {
    if ('system' in account || passedOver.has(reason)) return
    const units = delta + heldDelta
    if (reason === 'presale-allocate') {
      this.#tokens = { asset: account.asset, units: units as Units }
      return
    }
    const basis = units === 0 ? undefined : this.#basis(account.user, account.asset)
    if (basis === undefined) return
    if (units > 0) addUnits(basis, units as Units, this.#worth(account.asset, units as Units))
    else if (spent.has(reason)) sellUnits(basis, -units as Units, 0n)
    else takeUnits(basis, -units as Units)
  }

  /** In millionths of a USDT; undefined before the coin's first index price. */
  #worth(asset: AssetId, units: Units): bigint | undefined {
    if (this.#isUsdt(asset)) return BigInt(units)
    const price = this.#indexes.get(asset)
    return price === undefined ? undefined : indexWorth(units, price, this.#known.asset(asset))
  }

  #isUsdt(asset: AssetId): boolean {
    return this.#known.asset(asset).symbol === 'USDT'
  }

  /** Undefined for USDT, and for the exchange's own accounts. The caller changes it. */
  #basis(user: UserId, asset: AssetId): CostBasis | undefined {
    if (this.#isUsdt(asset) || this.#known.isQuiet(user)) return undefined
    const key = keyOf(user, asset)
    this.#changed.add(key)
    let basis = this.#bases.get(key)
    if (basis === undefined) this.#bases.set(key, (basis = emptyBasis()))
    return basis
  }
}

type Amount = { readonly asset: AssetId; readonly units: Units }

/** Assets are numbered below 4,096 and users below 2^23, so the key is a safe integer. */
function keyOf(user: UserId, asset: AssetId): number {
  return user * assetsMax + asset
}
