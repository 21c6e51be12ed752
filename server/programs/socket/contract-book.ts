import type { Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import type { EntryReason, Event, OutcomeEvent, Traded } from '@candor/core/protocol/event/index.ts'
import type { PerpLevelChanged, PositionChanged } from '@candor/core/protocol/event/perp.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import { maintenanceMargin, positionValue, shareOf, tierOfPosition, unrealised } from '@candor/core/risk/perp.ts'
import type { MarketData } from '../../live/data.ts'
import { amountText, type ListedMarket, quantityText, priceText } from '../../live/listing.ts'
import type { OrderState } from '../../live/orders.ts'
import { programName } from '../../live/program-names.ts'
import { averagePrice, positionWords } from '../perp/order-view.ts'

type Position = Omit<PositionChanged, 'type'>
type Entry = Extract<Event, { type: 'entry' }>

/** Reasons that are not a change of balance on their own: moves within the account, and costs and proceeds of trading. */
const ofTrading: ReadonlySet<EntryReason> = new Set([
  ...(['hold', 'release', 'trade', 'fee', 'realised'] as const),
  ...(['liquidation-fee', 'insurance', 'deleverage'] as const),
])

/** The state of a contract account, from the core's answer at the start and the events since, and the messages about each change. */
export class ContractBook {
  readonly #data: MarketData
  readonly #user: UserId
  readonly #positions = new Map<OrderId, Position>()
  readonly #leverages = new Map<MarketId, number>()
  #wallet = 0
  /** The last reported balance and cross balance. */
  #told: { readonly wallet: number; readonly cross: number } | undefined
  #begun: Promise<void> | undefined
  /** False while it only follows events: messages could be wrong, and no listener is waiting for any. */
  isReady = false
  /** Parts that changed while the core was asked: their values are at least as new as its answer. */
  #meanwhile = new Set<OrderId | 'wallet'>()

  constructor(data: MarketData, user: UserId) {
    this.#data = data
    this.#user = user
  }

  begin(ask: Ask): Promise<void> {
    this.#begun ??= this.#load(ask)
    return this.#begun
  }

  async #load(ask: Ask): Promise<void> {
    const { available, held, positions, settings } = await ask.perpAccount(this.#user)
    for (const position of positions) if (!this.#meanwhile.has(position.position)) this.#positions.set(position.position, position)
    if (!this.#meanwhile.has('wallet')) this.#wallet = available + held
    for (const { market, leverage } of settings) if (!this.#leverages.has(market)) this.#leverages.set(market, leverage)
    this.#told = { wallet: this.#wallet, cross: this.#cross() }
    this.isReady = true
  }

  /** Profit of an order's owner from a trade, before fees: the value traded against that part of the position's cost. */
  profitOf(trade: Traded, { side, perp, market: id }: OrderState): string {
    const { quote } = this.#data.listing.market(id)
    const position = this.#positionOf(id, perp?.position ?? 'both')
    if (!position || position.lots === 0 || position.lots > 0 === (side === 'buy')) {
      if (position) this.#positions.set(position.position, grown(position, trade, side === 'buy'))
      return '0'
    }
    const size = Math.abs(position.lots)
    const closed = Math.min(size, trade.lots)
    const value = closed === trade.lots ? trade.quote : Math.round((trade.quote / trade.lots) * closed)
    const cost = shareOf(position.cost, closed, size)
    const left = (position.lots > 0 ? position.lots - closed : position.lots + closed) as Lots
    this.#positions.set(position.position, { ...position, lots: left, cost: (position.cost - cost) as Units })
    return amountText(quote, (position.lots > 0 ? value - cost : cost - value) as Units)
  }

  command(events: readonly Event[], { at }: OutcomeEvent): readonly object[] {
    const changed = new Map<OrderId, Position>()
    const entries: Entry[] = []
    const more: object[] = []
    let reason = ''
    for (const event of events) {
      if (event.type === 'entry') {
        if (!('user' in event.account) || event.account.user !== this.#user || event.account.kind !== 'perp') continue
        entries.push(event)
        this.#wallet = event.available + event.held
        this.#meanwhile.add('wallet')
      } else if (event.type === 'traded') {
        if (event.makerUser === this.#user || event.takerUser === this.#user) reason = 'ORDER'
      } else if (!('user' in event) || event.user !== this.#user) continue
      else if (event.type === 'perp.position') {
        this.#meanwhile.add(event.position)
        if (event.lots === 0) this.#positions.delete(event.position)
        else this.#positions.set(event.position, event)
        changed.set(event.position, event)
      } else if (event.type === 'perp.fundingPaid') reason = 'FUNDING_FEE'
      else if (event.type === 'perp.settings' && event.market !== 0) {
        const { symbol, leverage } = { symbol: programName(this.#data.listing.market(event.market)), leverage: event.leverage }
        if (this.#leverages.get(event.market) === leverage) reason ||= 'MARGIN_TYPE_CHANGE'
        else more.push({ e: 'ACCOUNT_CONFIG_UPDATE', E: at, T: at, ac: { s: symbol, l: leverage } })
        this.#leverages.set(event.market, leverage)
      } else if (event.type === 'perp.level' && event.state === 'watch') more.push(...this.#call(event, at))
    }
    return this.isReady ? [...this.#account(entries, changed, reason, at), ...more] : []
  }

  #account(entries: readonly Entry[], changed: ReadonlyMap<OrderId, Position>, reason: string, at: number): readonly object[] {
    const usdt = this.#usdt()
    const [wallet, cross] = [this.#wallet, this.#cross()]
    const isMoved = this.#told === undefined || this.#told.wallet !== wallet || this.#told.cross !== cross
    this.#told = { wallet, cross }
    const moved = movedBy(entries)
    const B = isMoved && (entries.length > 0 || changed.size > 0) ? [line(usdt, wallet, cross, moved)] : []
    if (changed.size === 0 && B.length === 0) return []
    const m = reason || (moved === 0 ? 'MARGIN_TRANSFER' : moved > 0 ? 'DEPOSIT' : 'WITHDRAW')
    return [{ e: 'ACCOUNT_UPDATE', E: at, T: at, a: { m, B, P: [...changed.values()].map((one) => this.#said(one)) } }]
  }

  #said(position: Position): object {
    const market = this.#data.listing.market(position.market)
    const { quote } = market
    const entry = averagePrice(market, position.cost, position.lots)
    return {
      s: programName(market),
      pa: quantityText(market, position.lots),
      ep: entry,
      bep: entry,
      cr: amountText(quote, position.realised),
      up: amountText(quote, this.#unrealised(market, position)),
      mt: position.mode === 'cross' ? 'cross' : 'isolated',
      iw: position.mode === 'cross' ? '0' : amountText(quote, position.margin),
      ps: positionWords[position.side],
      ma: quote.symbol,
    }
  }

  /** A position, or in cross mode all of them, came close to liquidation. */
  #call({ market, position }: PerpLevelChanged, at: number): readonly object[] {
    const isCross = market === 0
    const close = [...this.#positions.values()].filter((one) => (isCross ? one.mode === 'cross' : one.position === position))
    if (close.length === 0) return []
    const cross = isCross ? { cw: amountText(this.#usdt(), this.#cross() as Units) } : {}
    return [{ e: 'MARGIN_CALL', E: at, ...cross, p: close.map((one) => this.#closeCall(one)) }]
  }

  #closeCall(position: Position): object {
    const market = this.#data.listing.market(position.market)
    const mark = this.#data.contracts.mark(position.market) ?? 0
    const tier = tierOfPosition(market.market.perp?.tiers ?? [], position.cost)
    const value = positionValue(position.lots, mark as Ticks, market.market.quotePerTickLot)
    return {
      s: programName(market),
      ps: positionWords[position.side],
      pa: quantityText(market, position.lots),
      mt: position.mode === 'cross' ? 'CROSSED' : 'ISOLATED',
      iw: position.mode === 'cross' ? '0' : amountText(market.quote, position.margin),
      mp: priceText(market, mark as Ticks),
      up: amountText(market.quote, this.#unrealised(market, position)),
      mm: amountText(market.quote, maintenanceMargin(value, tier.maintenancePpm) as Units),
    }
  }

  /** The only asset of the account. */
  #usdt(): Asset {
    return this.#data.listing.assetNamed('USDT')
  }

  #unrealised({ market }: ListedMarket, { lots, cost }: Position): Units {
    const mark = this.#data.contracts.mark(market.id)
    return (mark === undefined ? 0 : unrealised(lots, cost, mark as Ticks, market.quotePerTickLot)) as Units
  }

  /** The balance outside isolated positions. */
  #cross(): number {
    let cross = this.#wallet
    for (const { mode, margin } of this.#positions.values()) if (mode === 'isolated') cross -= margin
    return cross
  }

  #positionOf(market: MarketId, side: Position['side']): Position | undefined {
    for (const position of this.#positions.values()) if (position.market === market && position.side === side) return position
    return undefined
  }
}

function grown(position: Position, { lots, quote }: Traded, isBuy: boolean): Position {
  return {
    ...position,
    lots: (position.lots + (isBuy ? lots : -lots)) as Lots,
    cost: (position.cost + quote) as Units,
  }
}

/** Balance, its part outside isolated positions, and the change that did not come from trading. */
function line(asset: Asset, wallet: number, cross: number, moved: number) {
  const text = (units: number): string => amountText(asset, units as Units)
  return { a: asset.symbol, wb: text(wallet), cw: text(cross), bc: text(moved) }
}

function movedBy(entries: readonly Entry[]): number {
  return entries.reduce((sum, { reason, delta, heldDelta }) => (ofTrading.has(reason) ? sum : sum + delta + heldDelta), 0)
}
