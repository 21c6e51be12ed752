import { openTimeOf } from '@candor/core/market-data/calendar.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import type { Millis, Units } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { SystemAccount } from '@candor/core/protocol/account.ts'
import type { EntryEvent, Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known, MarketView } from './known.ts'

const dayMs = 86_400_000
const funds: ReadonlySet<SystemAccount> = new Set(['insurance', 'insurance-margin', 'option-house'])

/** Sums of an hour, in units of USDT. `house`: what the house fund of Second won (+) or lost (−). */
type Hour = { fees: number; liquidated: number; stakes: number; house: number }
type FundDay = { readonly fund: string; readonly asset: AssetId; readonly day: number; readonly balance: Units }

/** Value of a sum of quote units in units of USDT. */
export type Worth = (view: MarketView, quote: Units) => number

/**
 * Figures of the exchange as a business: sums of each hour, the hour of each customer's first trade of a UTC day, and the balances of the
 * funds at the end of each day. Accounts of the exchange itself, such as its bots, are no customers.
 */
export class FigureProjection {
  readonly #known: Known
  readonly #worth: Worth
  readonly #hours = new Map<number, Hour>()
  readonly #funds = new Map<string, FundDay>()
  /** Customers who have traded on `#day`, so that each is written once. */
  readonly #traders = new Set<UserId>()
  #day = 0
  readonly #hourRows = new Columns(
    'figure_hours as old',
    { hour: 'bigint', fees: 'numeric', liquidated: 'numeric', stakes: 'numeric', house: 'numeric' },
    `(hour) do update set fees = old.fees + excluded.fees, liquidated = old.liquidated + excluded.liquidated,
       stakes = old.stakes + excluded.stakes, house = old.house + excluded.house`,
  )
  readonly #traderRows = new Columns('trader_days', { day_ms: 'bigint', user_id: 'bigint', hour: 'bigint' }, '(day_ms, user_id) do nothing')
  readonly #fundRows = new Columns(
    'fund_days',
    { fund: 'text', asset: 'text', day_ms: 'bigint', balance: 'numeric' },
    `(fund, asset, day_ms) do update set ${overwrite('balance')}`,
  )

  constructor(known: Known, worth: Worth) {
    this.#known = known
    this.#worth = worth
  }

  get size(): number {
    return this.#hours.size + this.#funds.size + this.#traderRows.length
  }

  apply(event: Event, at: Millis): void {
    switch (event.type) {
      case 'entry':
        this.#post(event, at)
        break
      case 'traded':
        this.#trade(event, at)
        break
      case 'perp.liquidated': {
        const view = this.#known.market(event.market)
        const value = Math.abs(event.closedLots) * event.mark * view.market.quotePerTickLot
        if (value > 0) this.#hour(at).liquidated += this.#worth(view, value as Units)
        break
      }
      case 'option.opened':
        this.#hour(at).stakes += this.#worth(this.#known.market(event.market), event.stake)
        break
      default:
    }
  }

  take(): readonly (Statement | undefined)[] {
    const scale = this.#hours.size === 0 ? 0 : this.#known.scaleOf('USDT')
    for (const [hour, { fees, liquidated, stakes, house }] of this.#hours)
      this.#hourRows.push(hour, ...[fees, liquidated, stakes, house].map((units) => formatFixed(units, scale)))
    for (const { fund, asset, day, balance } of this.#funds.values()) {
      const { symbol, scale: digits } = this.#known.asset(asset)
      this.#fundRows.push(fund, symbol, day, formatFixed(balance, digits))
    }
    this.#hours.clear()
    this.#funds.clear()
    return [this.#hourRows.take(), this.#traderRows.take(), this.#fundRows.take()]
  }

  #post({ account, reason, delta, heldDelta, available, held }: EntryEvent, at: Millis): void {
    if (!('system' in account) || !funds.has(account.system)) return
    const { system: fund, asset } = account
    const day = at - (at % dayMs)
    this.#funds.set(`${fund} ${asset} ${day}`, { fund, asset, day, balance: (available + held) as Units })
    if (fund === 'option-house' && (reason === 'stake' || reason === 'payout')) this.#hour(at).house += delta + heldDelta
  }

  /** The buyer of a spot market pays in the base asset, which is valued at the price of the trade. */
  #trade({ market, price, takerSide, makerUser, takerUser, makerFee, takerFee }: Traded, at: Millis): void {
    const view = this.#known.market(market)
    const { perp, quotePerTickLot, basePerLot } = view.market
    const inQuote = (fee: Units, isBuyer: boolean): Units =>
      (isBuyer && perp === undefined ? mulDivFloor(fee, price * quotePerTickLot, basePerLot) : fee) as Units
    const isTakerBuyer = takerSide === 'buy'
    let fees = 0
    if (!this.#known.isQuiet(makerUser)) fees += this.#worth(view, inQuote(makerFee, !isTakerBuyer))
    if (!this.#known.isQuiet(takerUser)) fees += this.#worth(view, inQuote(takerFee, isTakerBuyer))
    if (fees > 0) this.#hour(at).fees += fees
    if (makerUser === takerUser) return
    this.#traded(makerUser, at)
    this.#traded(takerUser, at)
  }

  #traded(user: UserId, at: Millis): void {
    if (this.#known.isQuiet(user)) return
    const day = at - (at % dayMs)
    if (day !== this.#day) {
      this.#day = day
      this.#traders.clear()
    }
    if (this.#traders.has(user)) return
    this.#traders.add(user)
    this.#traderRows.push(day, user, openTimeOf('1h', at))
  }

  #hour(at: Millis): Hour {
    const hour = openTimeOf('1h', at)
    let found = this.#hours.get(hour)
    if (found === undefined) {
      found = { fees: 0, liquidated: 0, stakes: 0, house: 0 }
      this.#hours.set(hour, found)
    }
    return found
  }
}
