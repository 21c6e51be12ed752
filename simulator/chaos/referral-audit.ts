import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { ReferralTerms } from '@candor/core/protocol/command/referral.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { ReferralPaid } from '@candor/core/protocol/event/referral.ts'
import type { Market } from '@candor/core/protocol/market.ts'

const dayMs = 86_400_000
const million = 1_000_000n
const most = 2n ** 48n

type Facts = { certified: boolean; frozen: boolean; house: boolean; staff: boolean; homes: readonly string[] }
type Side = { readonly trade: Traded; readonly invitee: number; readonly asset: number; readonly fee: number; readonly value: bigint }
type Bond = { readonly inviter: number; readonly openedAt: number }

/**
 * Recomputes the commission of every trade from events alone, in another arithmetic than the exchange, and demands the same payments in
 * the same order, and ledger entries that add up to them.
 */
export class ReferralAudit {
  readonly #facts = new Map<number, Facts>()
  readonly #bonds = new Map<number, Bond>()
  /** By inviter and day: value of the invitees' trades. */
  readonly #volumes = new Map<number, Map<number, bigint>>()
  /** What was paid on a day, by `invitee`/`inviter`, user and day. */
  readonly #paid = new Map<string, bigint>()
  #terms: ReferralTerms | undefined
  paid = 0

  /** Takes one command with its events, after `exchange` has executed it. Throws when the payments are others. */
  follow(command: Command, at: number, events: readonly Event[], exchange: Exchange): void {
    for (const event of events) this.#learn(event, at)
    const isAccepted = events.some((event) => event.type === 'outcome' && event.refusal === undefined && !event.isRepeat)
    if (command.type === 'user.locate' && isAccepted) this.#of(command.user).homes = command.region.split('+').filter(Boolean)
    const paid = events.filter((event) => event.type === 'referral.paid')
    const markets = exchange.listing().markets
    const trades = events.filter((event) => event.type === 'traded')
    const expected = trades.flatMap((trade) => this.#ofTrade(trade, markets[trade.market - 1]!, at, exchange))
    const [got, wanted] = [paid, expected].map((list) => list.map((each) => JSON.stringify(each, Object.keys(each).toSorted())).join())
    if (got !== wanted) throw new Error(`commission paid: ${got}; recomputed from the trades: ${wanted}`)
    sameEntries(events, paid)
    this.paid += paid.length
  }

  #learn(event: Event, at: number): void {
    switch (event.type) {
      case 'user.opened':
        if (event.referrer !== 0) this.#bonds.set(event.user, { inviter: event.referrer, openedAt: at })
        return
      case 'user.certified':
        this.#of(event.user).certified = event.isCertified
        return
      case 'user.changed':
        this.#of(event.user).frozen = event.isFrozen
        return
      case 'user.housed':
        this.#of(event.user).house = event.isHouse
        return
      case 'user.staffed':
        this.#of(event.user).staff = event.isStaff
        return
      case 'referral.severed':
        if (this.#bonds.get(event.user)?.inviter !== event.inviter) throw new Error(`user ${event.user} has no such bond`)
        this.#bonds.delete(event.user)
        return
      case 'referral.terms':
        this.#terms = event.terms
        return
      default:
    }
  }

  #ofTrade(trade: Traded, market: Market, at: number, exchange: Exchange): readonly ReferralPaid[] {
    const { makerUser, takerUser } = trade
    if (this.#terms?.isOpen !== true || makerUser === takerUser || trade.isHouse === true) return []
    const receivers = [makerUser, takerUser].flatMap((user) => this.#above(user))
    if (receivers.some((receiver) => receiver === makerUser || receiver === takerUser)) return []
    const isPerp = market.perp !== undefined
    const takerGets = isPerp || trade.takerSide === 'sell' ? market.quote : market.base
    const makerGets = isPerp || trade.takerSide === 'buy' ? market.quote : market.base
    const value = worth(exchange, market.quote, BigInt(trade.quote)) ?? 0n
    return [
      ...this.#ofSide({ trade, invitee: makerUser, asset: makerGets, fee: trade.makerFee, value }, at, exchange),
      ...this.#ofSide({ trade, invitee: takerUser, asset: takerGets, fee: trade.takerFee, value }, at, exchange),
    ]
  }

  #ofSide({ trade, invitee, asset, fee, value: traded }: Side, at: number, exchange: Exchange): readonly ReferralPaid[] {
    const terms = this.#terms!
    const bond = this.#bonds.get(invitee)
    if (bond === undefined || !this.#mayTakePart(invitee) || at - bond.openedAt >= terms.days * dayMs) return []
    const paid: ReferralPaid[] = []
    const day = Math.floor(at / dayMs)
    for (const [n, inviter] of this.#above(invitee).entries()) {
      if (!this.#mayTakePart(inviter)) continue
      const reached = terms.tiers.filter(({ volumeMin }) => BigInt(volumeMin) <= this.#volumeOf(inviter, day))
      const share = n === 0 ? reached.at(-1)!.sharePpm : terms.secondPpm
      const amount = (BigInt(fee) * BigInt(share)) / million
      const value = worth(exchange, asset, amount)
      const [mine, theirs] = [`inviter ${inviter} ${day}`, `invitee ${invitee} ${day}`]
      const fits = (key: string, cap: number): boolean => (this.#paid.get(key) ?? 0n) + (value ?? 0n) <= BigInt(cap)
      if (amount > 0n && value !== undefined && fits(theirs, terms.inviteeDayMax) && fits(mine, terms.inviterDayMax)) {
        for (const key of [mine, theirs]) this.#paid.set(key, (this.#paid.get(key) ?? 0n) + value)
        const sums = { asset, amount: Number(amount), value: Number(value) }
        paid.push({
          type: 'referral.paid',
          inviter,
          invitee,
          level: n + 1,
          ...sums,
          market: trade.market,
          trade: trade.trade,
        } as ReferralPaid)
      }
      if (n === 0) this.#count(inviter, day, traded)
    }
    return paid
  }

  /** The user's inviter and that one's inviter, as far as their bonds last. */
  #above(user: number): readonly number[] {
    const first = this.#bonds.get(user)?.inviter
    const second = first === undefined ? undefined : this.#bonds.get(first)?.inviter
    return [first, second].filter((each) => each !== undefined)
  }

  #mayTakePart(user: number): boolean {
    const { certified, frozen, house, staff, homes } = this.#of(user)
    return certified && !frozen && !house && !staff && !homes.some((home) => this.#terms!.closedIn.includes(home))
  }

  #volumeOf(inviter: number, day: number): bigint {
    let sum = 0n
    for (const [on, value] of this.#volumes.get(inviter) ?? []) if (on > day - 30) sum += value
    return sum
  }

  #count(inviter: number, day: number, value: bigint): void {
    const days = this.#volumes.get(inviter) ?? new Map<number, bigint>()
    const sum = (days.get(day) ?? 0n) + value
    this.#volumes.set(inviter, days.set(day, sum < most ? sum : most))
  }

  #of(user: number): Facts {
    const facts = this.#facts.get(user) ?? { certified: false, frozen: false, house: false, staff: false, homes: [] }
    this.#facts.set(user, facts)
    return facts
  }
}

/** Value in USDT units at the last price of the first market in USDT, else at the index, rounded down; undefined without a price. */
function worth(exchange: Exchange, asset: number, units: bigint): bigint | undefined {
  const { assets, markets } = exchange.listing()
  const usdt = assets.find(({ symbol }) => symbol === 'USDT')!.id
  if (asset === usdt) return units
  const market = markets.find(({ base, quote, perp }) => base === asset && quote === usdt && perp === undefined)
  if (market === undefined) return undefined
  const { last, index } = exchange.prices(market.id)
  const scale = 10n ** BigInt(assets[usdt - 1]!.scale)
  // An index is in 1e-8 USDT for a whole coin; a tick at a lot is worth `quotePerTickLot`.
  const lotsInWhole = 10n ** BigInt(assets[asset - 1]!.scale) / BigInt(market.basePerLot)
  const ticks = last > 0 ? BigInt(last) : (BigInt(index) * scale) / (BigInt(market.quotePerTickLot) * lotsInWhole * 100_000_000n)
  if (ticks === 0n) return undefined
  const value = (units * ticks * BigInt(market.quotePerTickLot)) / BigInt(market.basePerLot)
  return value < most ? value : most
}

/** Each payment has its two entries, and there are no others. */
function sameEntries(events: readonly Event[], paid: readonly ReferralPaid[]): void {
  const entries = events.filter((event) => event.type === 'entry' && event.reason === 'referral')
  const said = entries.map((entry) => {
    const { account, delta, heldDelta } = entry as Extract<Event, { type: 'entry' }>
    return `${'system' in account ? account.system : `${account.user} ${account.kind}`} ${account.asset} ${delta} ${heldDelta}`
  })
  const wanted = paid.flatMap(({ inviter, asset, amount }) => [`fees ${asset} ${-amount} 0`, `${inviter} spot ${asset} ${amount} 0`])
  if (said.join() !== wanted.join()) throw new Error(`entries of commission: ${said.join()}, instead of ${wanted.join()}`)
}
