/** A state with contracts and positions but without orders, in which a lot at a tick is one unit and every mark is 100. */
import type { Row } from '../../../ledger/row.ts'
import { ENDOWMENT } from '../../../ledger/reasons.ts'
import type { Lots, Millis, Ppm, Ticks, Units } from '../../../money/brand.ts'
import { REDUCE_ONLY, POSITION_SHIFT, SELL } from '../../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import { accountKinds } from '../../../protocol/account.ts'
import { decodeEvents } from '../../../protocol/codec/event.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { Event } from '../../../protocol/event/index.ts'
import type { AssetId, KindNumber, OrderId, PositionNumber, UserId } from '../../../protocol/ids.ts'
import type { Market } from '../../../protocol/market.ts'
import { flush } from '../positions/flush.ts'
import { rest, store } from '../positions/orders.ts'
import { Venue } from '../../records/venue.ts'
import { State } from '../../state/state.ts'
import { BOTH, Contract, CROSS } from '../records/state.ts'
import type { Holding } from '../records/state.ts'
import { insuranceRow, perpRow } from '../rules/money.ts'
import { marketTerms, perpTerms } from './world.ts'

const PERP = accountKinds.indexOf('perp') as KindNumber

export class Alone {
  readonly x = new State()
  readonly events = new Records()
  readonly contract: Contract

  constructor(insured = 0) {
    const { x } = this
    x.write(this.events)
    x.ledger.addAsset(1 as AssetId)
    x.usdt = 1 as AssetId
    if (insured > 0) x.ledger.issue(this.outside, insuranceRow(x), x.usdt, insured as Units, ENDOWMENT)
    this.contract = this.lists(3)
    this.events.clear()
  }

  get outside(): Row {
    return this.x.ledger.systemRow('outside:sandbox', this.x.usdt)
  }

  lists(id: number): Contract {
    const { x } = this
    const made = { id, symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '1', basePerLot: 1, quotePerTickLot: 1 }
    const venue = new Venue({ ...made, terms: marketTerms, perp: perpTerms } as unknown as Market, x.orders)
    venue.isIndexGood = true
    venue.indexSources = 5
    const contract = new Contract(venue, venue, x.orders)
    contract.mark = 100 as Ticks
    x.perp.add(contract)
    return contract
  }

  at(ms: number): this {
    this.x.atMs = ms as Millis
    return this
  }

  pays(user: number, amount: number): this {
    const { ledger, usdt } = this.x
    ledger.issue(this.outside, ledger.row(user as UserId, PERP, usdt), usdt, amount as Units, ENDOWMENT)
    return this
  }

  /** An open position of a user with this entry price and margin; its number is the user's number plus 100. */
  opens(
    user: number,
    lots: number,
    entry: number,
    margin: number,
    more: { contract?: Contract; side?: number; isCross?: true } = {},
  ): Holding {
    const { x } = this
    const contract = more.contract ?? this.contract
    x.userCount = Math.max(x.userCount, user)
    const holding = x.perp.holding(user as UserId, contract, (more.side ?? BOTH) as PositionNumber)
    if (more.isCross) holding.setting.mode = CROSS
    const cost = (entry * Math.abs(lots)) as Units
    Object.assign(holding, { lots, cost, margin, id: (user + 100) as OrderId, lastId: user + 100, isShort: lots < 0 })
    Object.assign(holding, { maintenancePpm: 25_000 as Ppm, watchedPpm: 31_250 as Ppm })
    if (lots > 0) contract.openLots = (contract.openLots + lots) as Lots
    this.pays(user, margin + 1)
    x.ledger.hold(perpRow(x, holding.user), margin as Units)
    x.perp.enlist(holding)
    this.events.clear()
    return holding
  }

  /** Puts an order beside a position into the book; its user must be able to pay for what it opens. */
  rests(holding: Holding, side: 'buy' | 'sell', price: number, lots: number, isReduceOnly = false): OrderId {
    const { x } = this
    const id = (++x.lastOrder + 10_000) as OrderId
    const position = ((holding.side as number) + 1) << POSITION_SHIFT
    const flags = ((side === 'sell' ? SELL : 0) | (isReduceOnly ? REDUCE_ONLY : 0) | position) as OrderFlags
    rest(x, holding, store(x, holding, id, flags, price as Ticks, lots as Lots))
    flush(x)
    this.events.clear()
    return id
  }

  /** An order of another user in the book of a contract. */
  quotes(user: number, side: 'buy' | 'sell', price: number, lots: number, contract = this.contract): OrderId {
    this.x.userCount = Math.max(this.x.userCount, user)
    this.pays(user, 2 * price * lots)
    return this.rests(this.x.perp.holding(user as UserId, contract, BOTH), side, price, lots)
  }

  /** Available and held units of a user. */
  has(user: number): readonly number[] {
    const row = perpRow(this.x, user as UserId)
    return [this.x.ledger.available(row), this.x.ledger.held(row)]
  }

  told<T extends Event['type']>(type: T): Extract<Event, { type: T }>[] {
    const all = decodeEvents(this.events.data, 0, this.events.length) as readonly Event[]
    return all.filter((event) => event.type === type) as Extract<Event, { type: T }>[]
  }
}
