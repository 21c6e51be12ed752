import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { Deleveraged, FundInventory, LiquidationStep, PositionChanged, TakenOver } from '@candor/core/protocol/event/perp.ts'
import type { Market, PerpTerms } from '@candor/core/protocol/market.ts'
import { ExitsAudit } from './exits.ts'
import type { OrdersAudit } from './orders.ts'
import { PartsAudit } from './parts.ts'
import { PhaseAudit } from './phase.ts'
import { fail } from '../failure.ts'
import { WatchAudit } from './watch.ts'
import type { Postings } from './postings.ts'

/** User number that stands for the insurance fund and its inventory. */
const fund = 0

/** A position: its lots and cost according to trades, and its last event. */
type Holding = {
  readonly user: number
  readonly market: number
  readonly side: string
  lots: number
  cost: number
  /** Closes without an event so far. */
  ends: number
  reported: PositionChanged | undefined
  before: PositionChanged | undefined
}

/**
 * Checks futures: computes positions, costs and profits from trades alone, and compares every loss with the payments of its account,
 * the insurance fund and the winners.
 */
export class PerpAudit {
  readonly holdings = new Map<string, Holding>()
  readonly marks = new Map<number, number>()
  /** Users for whom the fund advanced funding. They are liquidated until it is paid back. */
  readonly debtors = new Set<number>()
  readonly #good = new Map<number, boolean>()
  readonly #leverages = new Map<string, number>()
  /** Mark price at which each trailing order was placed. */
  readonly #placedAt = new Map<number, number>()
  readonly #orders: OrdersAudit
  readonly #postings: Postings
  readonly #exits: ExitsAudit
  readonly #parts: PartsAudit
  readonly #watch: WatchAudit
  readonly #phase: PhaseAudit
  /** Losses that nobody could pay, owed by the fund: costs less `outside:perp`. */
  #hole = 0
  // State of the current command:
  readonly #touched = new Set<Holding>()
  readonly #users = new Set<number>()
  readonly #profits = new Map<number, number>()
  readonly #adjusted = new Map<number, number>()
  /** Losses of single fills, by user: the most that a user can leave unpaid. */
  readonly #losses = new Map<number, number>()
  /** By order: gain of its fills compared with the mark price. */
  readonly #gains = new Map<number, number>()
  #haircuts = 0
  /** Prices of deleveraged positions, until the event of the liquidation step that caused them. */
  #takenAt: number[] = []

  constructor(orders: OrdersAudit, postings: Postings) {
    this.#orders = orders
    this.#postings = postings
    const lotsOf = (user: number, market: number, side: string): number => this.#holding(user, market, side).lots
    this.#exits = new ExitsAudit(orders, lotsOf)
    this.#parts = new PartsAudit(orders, lotsOf)
    this.#phase = new PhaseAudit(orders)
    this.#watch = new WatchAudit(orders.markets, this.marks)
  }

  isGood(market: number): boolean {
    return this.#good.get(this.#perpMarket(market)?.perp.index ?? market) === true
  }

  /** Must be called before the order's own audit sees the event. */
  see(event: Event): void {
    this.#exits.see(event)
    this.#parts.see(event)
    this.#watch.see(event)
    this.#phase.see(event)
    switch (event.type) {
      case 'index.ticked':
        this.#good.set(event.market, event.isGood && event.sources >= 3)
        return
      case 'perp.marked':
        if (!this.isGood(event.market)) fail(`market ${event.market} is marked without a good index`)
        this.marks.set(event.market, event.mark)
        return
      case 'perp.settings':
        if (event.market !== 0) this.#leverages.set(`${event.user} ${event.market}`, event.leverage)
        this.#users.add(event.user)
        return
      case 'order.accepted':
        if (event.trigger?.kind === 'trailing') this.#placedAt.set(event.order, this.marks.get(event.market) ?? 0)
        if (this.#perpMarket(event.market) !== undefined) this.#users.add(event.user)
        return
      case 'order.amended':
      case 'order.triggered':
      case 'order.closed':
        if (event.type === 'order.closed') this.#placedAt.delete(event.order)
        if (this.#perpMarket(event.market) !== undefined) this.#users.add(event.user)
        return
      case 'traded': {
        if (this.#perpMarket(event.market) === undefined) return
        const { market, price, lots, takerSide } = event
        const side = (order: number): string => this.#orders.order(order).accepted.perp?.position ?? fail(`order ${order} has no position`)
        this.#gain(event)
        this.#fill(event.makerUser, market, side(event.makerOrder), takerSide === 'buy' ? -lots : lots, price)
        this.#fill(event.takerUser, market, side(event.takerOrder), takerSide === 'buy' ? lots : -lots, price)
        return
      }
      case 'perp.deleveraged':
        return this.#deleveraged(event)
      case 'perp.takenOver':
        return this.#takenOver(event)
      case 'perp.inventory':
        return this.#inventory(event)
      case 'perp.position':
        return this.#position(event)
      case 'perp.liquidated':
        return this.#liquidated(event)
      default:
    }
  }

  /** Called at the end of a command. */
  check(): void {
    this.#exits.check()
    this.#parts.check()
    this.#watch.check((market) => this.isGood(market))
    const postings = this.#postings
    const outside = 'outside:perp 1'
    for (const key of postings.touched.keys()) {
      const user = /^user (\d+) perp 1$/.exec(key)?.[1]
      if (user !== undefined) this.#users.add(Number(user))
    }
    if (this.#users.size === 0 && !postings.touched.has(outside)) return
    for (const holding of this.#touched) this.#checkReported(holding)
    for (const user of this.#users) if (user !== fund) this.#checkHeld(user)
    let unpaid = 0
    let borne = 0
    for (const user of this.#users) {
      const key = user === fund ? 'insurance 1' : `user ${user} perp 1`
      const missing = postings.posted(key, 'realised') - (this.#profits.get(user) ?? 0) - (this.#adjusted.get(user) ?? 0)
      if (missing < 0) fail(`user ${user} lost ${-missing} more than positions did`)
      if (missing > (this.#losses.get(user) ?? 0)) fail(`user ${user} gained ${missing} more than positions did`)
      unpaid += missing
      borne -= postings.posted(key, 'deleverage')
    }
    if (borne > 0 !== this.#haircuts > 0) fail(`${borne} units of profit were taken with ${this.#haircuts} events about it`)
    const { costs, lots } = this.#sums()
    for (const [market, sum] of lots) if (sum !== 0) fail(`positions of market ${market} sum to ${sum} lots`)
    const hole = costs - postings.balance(outside).available
    const insured = postings.posted(outside, 'insurance')
    if (hole < 0) fail(`outside:perp has ${-hole} more than positions cost`)
    if (unpaid !== insured + borne + hole - this.#hole) {
      fail(`losses of ${unpaid} beyond their accounts: insurance paid ${insured}, winners ${borne}, and ${hole - this.#hole} are open`)
    }
    if (hole > this.#hole && postings.balance('insurance 1').available > this.#inflow())
      fail('a loss stays open that the insurance fund could pay')
    this.#hole = hole
    this.#touched.clear()
    this.#users.clear()
    this.#profits.clear()
    this.#adjusted.clear()
    this.#losses.clear()
    this.#gains.clear()
    this.#haircuts = 0
    if (this.#takenAt.length > 0) fail('positions were closed against others without a liquidation step')
  }

  checkAll(): void {
    for (const holding of this.holdings.values()) this.#checkReported(holding)
    for (const user of new Set([...this.holdings.values()].map(({ user }) => user))) if (user !== fund) this.#checkHeld(user)
  }

  /** Open positions of a market, for other audits. */
  open(market: number): readonly Holding[] {
    return [...this.holdings.values()].filter((holding) => holding.market === market && holding.lots !== 0)
  }

  #perpMarket(market: number): (Market & { readonly perp: PerpTerms }) | undefined {
    const found = this.#orders.markets.get(market)
    return found?.perp === undefined ? undefined : (found as Market & { readonly perp: PerpTerms })
  }

  #holding(user: number, market: number, side: string): Holding {
    const key = `${user} ${market} ${side}`
    const known = this.holdings.get(key)
    if (known !== undefined) return known
    const holding: Holding = { user, market, side, lots: 0, cost: 0, ends: 0, reported: undefined, before: undefined }
    this.holdings.set(key, holding)
    return holding
  }

  #gain({ market, price, lots, takerSide, takerOrder }: Traded): void {
    const better = (price - (this.marks.get(market) ?? price)) * (takerSide === 'sell' ? 1 : -1)
    const unit = this.#orders.markets.get(market)?.quotePerTickLot as number
    if (better > 0) this.#add(this.#gains, takerOrder, better * lots * unit)
  }

  /** Adds signed lots at a price. Lots on the other side are closed first; their part of the cost is rounded down. */
  #fill(user: number, market: number, side: string, signed: number, price: number): void {
    const holding = this.#holding(user, market, side)
    const unit = this.#orders.markets.get(market)?.quotePerTickLot as number
    this.#touched.add(holding)
    this.#users.add(user)
    let left = signed
    if (holding.lots !== 0 && holding.lots > 0 !== signed > 0) {
      const size = Math.abs(holding.lots)
      const closed = Math.min(size, Math.abs(signed))
      const cost = closed === size ? holding.cost : Number((BigInt(holding.cost) * BigInt(closed)) / BigInt(size))
      const value = price * closed * unit
      const profit = holding.lots > 0 ? value - cost : cost - value
      this.#add(this.#profits, user, profit)
      this.#add(this.#losses, user, Math.max(0, -profit))
      holding.cost -= cost
      holding.lots += holding.lots > 0 ? -closed : closed
      left += signed > 0 ? -closed : closed
      if (holding.lots === 0) holding.ends++
    }
    holding.lots += left
    holding.cost += price * Math.abs(left) * unit
    if (side !== 'both' && holding.lots !== 0 && holding.lots > 0 !== (side === 'long')) fail(`a ${side} position of user ${user} turned`)
  }

  #deleveraged({ market, price, lots, bankruptUser, user, position }: Deleveraged): void {
    if (lots === 0) {
      this.#haircuts++
      return
    }
    const partner = this.open(market).find((holding) => holding.user === user && holding.reported?.position === position)
    if (partner === undefined) return fail(`position ${position} that was deleveraged is not there`)
    const bankrupt = this.open(market).find((holding) => holding.user === bankruptUser && holding.lots > 0 !== partner.lots > 0)
    if (bankrupt === undefined) return fail(`user ${bankruptUser} has no position against ${position}`)
    // The fund closes at the mark price; users at their bankruptcy price.
    if (bankruptUser !== fund) this.#takenAt.push(price)
    else if (price !== this.marks.get(market)) fail(`the fund leaves market ${market} at ${price}`)
    const signed = bankrupt.lots > 0 ? lots : -lots
    this.#fill(user, market, partner.side, signed, price)
    this.#fill(bankruptUser, market, bankrupt.side, -signed, price)
  }

  /** The fund may take over only existing lots, at the price that the step names. */
  #takenOver({ market, price, lots, user, position }: TakenOver): void {
    const bankrupt = this.open(market).find((holding) => holding.user === user && holding.reported?.position === position)
    if (bankrupt === undefined || lots <= 0) return fail(`position ${position} that the fund takes over is not there`)
    this.#takenAt.push(price)
    const signed = bankrupt.lots > 0 ? lots : -lots
    this.#fill(user, market, bankrupt.side, -signed, price)
    this.#fill(fund, market, 'both', signed, price)
  }

  /** At the end of a command the fund's inventory must equal its trades, without any other cost. */
  #inventory({ market, lots, cost }: FundInventory): void {
    const holding = this.#holding(fund, market, 'both')
    this.#touched.add(holding)
    holding.reported = { lots, cost, margin: 0 } as unknown as PositionChanged
  }

  /** The lots must equal the trades. The cost may be closer to the mark price, by profit taken out of the position. */
  #position(event: PositionChanged): void {
    const holding = this.#holding(event.user, event.market, event.side)
    this.#touched.add(holding)
    this.#users.add(event.user)
    if (event.margin < 0 || event.cost < 0) fail(`position ${event.position} is below zero`)
    holding.before = holding.reported
    if (event.lots === 0) {
      if (holding.ends-- === 0) fail(`position ${event.position} is reported closed without a trade`)
      holding.reported = undefined
      return
    }
    if (event.lots !== holding.lots) fail(`position ${event.position} of ${event.lots} lots, trades give ${holding.lots}`)
    const moved = (event.cost - holding.cost) * (event.lots > 0 ? 1 : -1)
    if (moved < 0) fail(`position ${event.position} costs ${event.cost}, trades give ${holding.cost}`)
    this.#add(this.#adjusted, event.user, moved)
    holding.cost = event.cost
    holding.reported = event
  }

  /** A step needs a good index, the last mark price, and at most the maintenance margin left, or funding that is owed. */
  #liquidated(event: LiquidationStep): void {
    const { user, market, position, mark, equity, maintenance, closedLots, askedLots, fee, insured } = event
    if (!this.isGood(market) || mark !== this.marks.get(market)) fail(`position ${position} is liquidated at a mark of ${mark}`)
    if (equity > maintenance && !this.debtors.has(user)) fail(`position ${position} is liquidated with ${equity}, more than ${maintenance}`)
    if (fee > Math.max(0, equity) + (this.#gains.get(event.order) ?? 0)) fail(`position ${position} with ${equity} pays a fee of ${fee}`)
    if (closedLots < 0 || closedLots > askedLots || fee < 0 || insured < 0)
      fail(`a step of position ${position} closed ${closedLots} of ${askedLots}`)
    if (event.order === 0) {
      const { bankruptcyPrice } = event
      for (const price of this.#takenAt) if (price !== bankruptcyPrice) fail(`position ${position} was taken over at ${price}`)
      this.#takenAt = []
    }
    const holding = [...this.holdings.values()].find((one) => one.user === user && one.before?.position === position)
    const before = holding?.before
    if (before === undefined || before.mode !== 'isolated' || closedLots === 0) return
    const unit = this.#orders.markets.get(market)?.quotePerTickLot as number
    const value = mark * Math.abs(before.lots) * unit
    const worth = before.margin + (before.lots > 0 ? value - before.cost : before.cost - value)
    if (worth !== equity) fail(`position ${position} had ${worth}, but ${equity} is reported`)
    const ppm = (this.#perpMarket(market)?.perp.tiers ?? []).find(({ valueMax }) => before.cost <= valueMax)?.maintenancePpm
    if (ppm !== undefined && maintenance !== ceilPart(value, ppm))
      fail(`position ${position} needs ${ceilPart(value, ppm)}, but ${maintenance} is reported`)
  }

  #checkReported(holding: Holding): void {
    const { user, market, lots, cost, reported } = holding
    const ends = user === fund ? 0 : holding.ends
    if (ends !== 0 || (reported?.lots ?? 0) !== lots || (reported?.cost ?? 0) !== cost)
      fail(`user ${user} has ${lots} lots in market ${market}, ${reported?.lots ?? 0} are reported`)
  }

  /** The held amount of a futures account must equal the margin of positions plus the needs of open orders. */
  #checkHeld(user: number): void {
    let need = 0
    for (const market of this.#orders.markets.keys()) {
      if (this.#perpMarket(market) === undefined) continue
      for (const side of ['both', 'long', 'short']) {
        const holding = this.holdings.get(`${user} ${market} ${side}`)
        need += (holding?.reported?.margin ?? 0) + this.#ordersNeed(user, market, side, holding?.lots ?? 0)
      }
    }
    const { held } = this.#postings.balance(`user ${user} perp 1`)
    if (held !== need) fail(`user ${user} holds ${held} for futures, positions and orders need ${need}`)
  }

  /** Needs of open orders of a side: the cheapest close the opposite position; the others need margin and taker fee at their price. */
  #ordersNeed(user: number, market: number, position: string, lots: number): number {
    const { quotePerTickLot: unit, terms } = this.#orders.markets.get(market) as Market
    let sum = this.#sleepingNeed(user, market, position)
    for (const side of ['buy', 'sell'] as const) {
      const resting: { price: number; left: number }[] = []
      for (const { accepted, price, lots: all, executed, isPending } of this.#orders.ordersOf(user)) {
        if (accepted.market !== market || accepted.side !== side || isPending || accepted.perp?.position !== position) continue
        if (accepted.orderType === 'market') continue
        if (!accepted.perp.isReduceOnly && !accepted.perp.isClosing) resting.push({ price, left: all - executed })
      }
      if (resting.length === 0) continue
      resting.sort((a, b) => a.price - b.price)
      let standing = side === 'buy' ? Math.max(0, -lots) : Math.max(0, lots)
      let value = 0
      for (const { price, left } of resting) {
        const closing = Math.min(standing, left)
        standing -= closing
        value += (left - closing) * price * unit
      }
      sum += Math.ceil(value / (this.#leverages.get(`${user} ${market}`) ?? 1)) + ceilPart(value, terms.takerFeePpm)
    }
    return sum
  }

  /** Needs of conditional orders that may open a position: at their trigger, or for trailing ones at the mark price when placed. */
  #sleepingNeed(user: number, market: number, position: string): number {
    const { quotePerTickLot: unit, terms } = this.#orders.markets.get(market) as Market
    let value = 0
    for (const { accepted, lots, executed, isPending, trigger } of this.#orders.ordersOf(user)) {
      const isAsleep = accepted.trigger !== undefined && (isPending || accepted.orderType === 'market')
      if (
        !isAsleep ||
        accepted.market !== market ||
        accepted.perp?.position !== position ||
        accepted.perp.isReduceOnly ||
        accepted.perp.isClosing
      )
        continue
      const price =
        trigger!.kind === 'stop' ? trigger!.price : (this.#placedAt.get(accepted.order) ?? fail(`order ${accepted.order} has no mark`))
      value += price * (lots - executed) * unit
    }
    return Math.ceil(value / (this.#leverages.get(`${user} ${market}`) ?? 1)) + ceilPart(value, terms.takerFeePpm)
  }

  #sums(): { readonly costs: number; readonly lots: ReadonlyMap<number, number> } {
    const lots = new Map<number, number>()
    let costs = 0
    for (const holding of this.holdings.values()) {
      lots.set(holding.market, (lots.get(holding.market) ?? 0) + holding.lots)
      costs += holding.lots > 0 ? -holding.cost : holding.cost
    }
    return { costs, lots }
  }

  /** Income of the insurance fund by this command. It may have come too late for an earlier loss. */
  #inflow(): number {
    const of = (reason: 'liquidation-fee' | 'funding' | 'endowment'): number => Math.max(0, this.#postings.posted('insurance 1', reason))
    return of('liquidation-fee') + of('funding') + of('endowment')
  }

  #add(sums: Map<number, number>, user: number, amount: number): void {
    sums.set(user, (sums.get(user) ?? 0) + amount)
  }
}

/** ⌈value × ppm ÷ 10^6⌉, exact. */
function ceilPart(value: number, ppm: number): number {
  return Number((BigInt(value) * BigInt(ppm) + 999_999n) / 1_000_000n)
}
