import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { FeeTier, Market } from '@candor/core/protocol/market.ts'
import { fail } from '../failure.ts'

const dayMs = 86_400_000
const days = 30

type Paid = { readonly user: number; readonly fee: number; readonly quote: number; readonly tier: number; readonly side: 'maker' | 'taker' }

/** Compares the fees of Futures trades with the tiers that follow from the trades of the last 30 days. Knows users by number. */
export class PerpFeesAudit {
  readonly #markets: ReadonlyMap<number, Market>
  /** Volume by user and UTC day. */
  readonly #volumes = new Map<number, Map<number, number>>()
  readonly #liquidations = new Set<number>()
  readonly #told = new Map<number, number>()
  #tiers: readonly FeeTier[] = []
  #at = 0
  /** Trades of the taker's order that is being matched, the tier that they have, and what counts of them. */
  #taking: { readonly order: number; readonly user: number; readonly tier: number; counted: number } | undefined

  constructor(markets: ReadonlyMap<number, Market>) {
    this.#markets = markets
  }

  begin(at: number): void {
    this.#at = at
  }

  see(event: Event): void {
    if (event.type === 'fees.changed') this.#tiers = event.perpTiers
    else if (event.type === 'order.accepted' && event.perp?.isLiquidation === true) this.#liquidations.add(event.order)
    else if (event.type === 'traded') this.#traded(event)
    else if (event.type === 'perp.tierChanged') {
      if (event.user === this.#taking?.user) this.#flush()
      if (event.tier !== this.#tierOf(event.user)) fail(`user ${event.user} is told tier ${event.tier}`)
      if (event.tier === (this.#told.get(event.user) ?? 0)) fail(`user ${event.user} is told tier ${event.tier} twice`)
      this.#told.set(event.user, event.tier)
    }
  }

  check(): void {
    this.#flush()
  }

  #traded(event: Traded): void {
    const market = this.#markets.get(event.market)
    if (market?.perp === undefined) return
    const { takerOrder, takerUser, makerUser, quote, makerFee, takerFee } = event
    if (this.#taking?.order !== takerOrder) {
      this.#flush()
      this.#taking = { order: takerOrder, user: takerUser, tier: this.#tierOf(takerUser), counted: 0 }
    }
    const isFree = takerUser === 0 || this.#liquidations.has(takerOrder)
    const isMakerPaid = this.#fee(market, { user: makerUser, fee: makerFee, quote, tier: this.#tierOf(makerUser), side: 'maker' })
    if (isFree && takerFee > 0) fail(`user ${takerUser} pays ${takerFee} where nothing is due`)
    const isTakerPaid = !isFree && this.#fee(market, { user: takerUser, fee: takerFee, quote, tier: this.#taking.tier, side: 'taker' })
    if (makerUser === takerUser || event.isHouse === true) return
    if (isMakerPaid) this.#add(makerUser, quote)
    if (isTakerPaid) this.#taking!.counted += quote
  }

  /** Whether a fee was paid in full. A position that has lost its margin pays less than what is due, but never the fee of another tier. */
  #fee(market: Market, { user, fee, quote, tier, side }: Paid): boolean {
    const due = (of: number): number => Math.ceil((quote * this.#ratesOf(market, of)[side]) / 1e6)
    if (fee > due(tier)) fail(`user ${user} pays ${fee} for a fee of ${due(tier)}`)
    if (fee === due(tier)) return true
    const other = fee === 0 ? -1 : this.#tiers.findIndex((_, of) => fee === due(of))
    if (other >= 0) fail(`user ${user} of tier ${tier} pays the fee of tier ${other}`)
    return false
  }

  #ratesOf({ terms }: Market, tier: number): { readonly maker: number; readonly taker: number } {
    const step = this.#tiers[tier]
    const base = { maker: terms.makerFeePpm, taker: terms.takerFeePpm }
    if (tier === 0 || step === undefined) return base
    return { maker: Math.min(base.maker, step.makerPpm), taker: Math.min(base.taker, step.takerPpm) }
  }

  #tierOf(user: number): number {
    const today = Math.floor(this.#at / dayMs)
    let volume = 0
    for (const [day, sum] of this.#volumes.get(user) ?? []) if (day > today - days) volume += sum
    return Math.max(
      0,
      this.#tiers.findLastIndex(({ volumeMin }) => volume >= volumeMin),
    )
  }

  #add(user: number, quote: number): void {
    const of = this.#volumes.get(user) ?? new Map<number, number>()
    const today = Math.floor(this.#at / dayMs)
    of.set(today, (of.get(today) ?? 0) + quote)
    this.#volumes.set(user, of)
  }

  #flush(): void {
    if (this.#taking !== undefined && this.#taking.counted > 0) this.#add(this.#taking.user, this.#taking.counted)
    this.#taking = undefined
  }
}
