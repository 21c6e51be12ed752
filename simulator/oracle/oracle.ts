import { accountKinds } from '@candor/core/protocol/account.ts'
import type { Faucet, FundSystem, Transfer } from '@candor/core/protocol/command/funds.ts'
import type { Command, Stamp } from '@candor/core/protocol/command/index.ts'
import type { IndexTick, ListAsset, ListMarket, SetFees, SetMarket } from '@candor/core/protocol/command/market.ts'
import type { SetMode } from '@candor/core/protocol/command/mode.ts'
import { changeTypes, type OperateExchange } from '@candor/core/protocol/command/operate.ts'
import type { OpenUser } from '@candor/core/protocol/command/user.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { movementsFrom } from '@candor/core/protocol/ids.ts'
import type { Asset, Level, Market, MarketTerms } from '@candor/core/protocol/market.ts'
import type { OpenOrder } from '@candor/core/protocol/port.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { needOf } from './needs.ts'
import { payingAsset } from './matching.ts'
import { fraction, tierOf } from './prices.ts'
import { rememberRequest, requestOf } from './requests.ts'
import { isResting } from './resting.ts'
import { placeOco } from './oco.ts'
import { placeList } from './lists.ts'
import { amend, type Answer, cancel, cancelAll, capTurnover, place, rest, sweep } from './spot.ts'
import { type Balance, OracleState, type Order, type Venue } from './state.ts'
import { areQuotesValid, OracleTape } from './tape.ts'
import { beginTries, endOld, halt } from './trying.ts'
import { wakeSome } from './waking.ts'

const sumMax = 2 ** 52
const million = 1_000_000

type Decision = { readonly refusal: Refusal | undefined; readonly order: number; readonly user: number; readonly isRepeat: boolean }

/**
 * A second, slow implementation of the specification that shares nothing with the core: plain lists that are searched and sorted for
 * every question, and bigint for every sum. It predicts the outcome and events of every command, except entries and book levels,
 * which are compared as balances and books.
 */
export class Oracle {
  readonly #state = new OracleState()
  readonly #tape = new OracleTape()

  get userCount(): number {
    return this.#state.users.length
  }

  execute(command: Command, stamp: Stamp): readonly Event[] {
    const state = this.#state
    state.at = stamp.at
    state.seq = stamp.seq
    state.events = []
    const { refusal, order, user, isRepeat } = this.#decide(command)
    state.events.push({ type: 'outcome', seq: stamp.seq, at: stamp.at, user, order, refusal, isRepeat } as Event)
    return state.events
  }

  /** Balances of a user that are not zero, by account name. */
  balancesOf(user: number): ReadonlyMap<string, Balance> {
    return new Map([...this.balances()].filter(([key]) => key.startsWith(`user ${user} `)))
  }

  /** All balances that are not zero, by account name. */
  balances(): ReadonlyMap<string, Balance> {
    return new Map([...this.#state.balances].filter(([, { available, held }]) => available !== 0n || held !== 0n))
  }

  /** Needs of a user's open orders, by asset. */
  needsOf(user: number): ReadonlyMap<number, bigint> {
    const needs = new Map<number, bigint>()
    for (const order of this.#state.orders.values()) {
      if (order.user !== user) continue
      const venue = this.#state.venue(order.market) as Venue
      const asset = payingAsset(venue, order.side)
      needs.set(asset, (needs.get(asset) ?? 0n) + needOf(venue, order))
    }
    return needs
  }

  openOrders(user: number): OpenOrder[] {
    return [...this.#state.orders.values()].filter((order) => order.user === user).map(viewOf)
  }

  tier(user: number): number {
    return tierOf(this.#state, user, this.#state.at)
  }

  /** Orders of one side of a book, by priority. */
  queue(market: number, side: 'buy' | 'sell'): readonly Readonly<Order>[] {
    return this.#state.queue(market, side)
  }

  /** Visible quantity by price, best first. */
  book(market: number): { readonly bids: readonly Level[]; readonly asks: readonly Level[] } {
    const [bids, asks] = (['buy', 'sell'] as const).map((side) => {
      const levels = new Map<number, number>()
      for (const { price, visible } of this.#state.queue(market, side)) levels.set(price, (levels.get(price) ?? 0) + visible)
      return [...levels].map(([price, lots]) => ({ price, lots })) as unknown as readonly Level[]
    })
    return { bids: bids as readonly Level[], asks: asks as readonly Level[] }
  }

  #decide(command: Command): Decision {
    const state = this.#state
    const refused = (refusal: Refusal): Decision => ({ refusal, order: 0, user: 0, isRepeat: false })
    const asker = 'user' in command ? command.user : 0
    if ('user' in command && !state.isUser(asker)) return refused('USER_UNKNOWN')
    const clientId = 'clientId' in command ? command.clientId : 'requestId' in command ? command.requestId : ''
    const body = bodyOf(command)
    const known = clientId === '' ? undefined : requestOf(state, asker, clientId)
    if (known !== undefined) {
      if (known.body !== body) return refused('CLIENT_ID_REUSED')
      return { refusal: known.refusal as Refusal | undefined, order: known.order, user: known.user, isRepeat: true }
    }
    const answer = this.#needsDecision(command) ? 'FORBIDDEN' : this.#answer(command)
    const refusal = typeof answer === 'string' ? answer : undefined
    const number = typeof answer === 'string' ? 0 : answer
    if (refusal === undefined) wakeSome(state)
    const [order, user] = command.type === 'user.open' ? [0, number] : [number, 0]
    if (clientId !== '') rememberRequest(state, asker, clientId, { body, order, user, refusal })
    return { refusal, order, user, isRepeat: false }
  }

  /** In production, people of the staff decide about terms. */
  #needsDecision({ type }: Command): boolean {
    const { isProduction, users } = this.#state
    return isProduction && users.length > 0 && (changeTypes as readonly string[]).includes(type)
  }

  /** Data with practice funds is refused; the world then turns it into production, so that customers have something to trade. */
  #setMode({ mode }: SetMode): Answer {
    const state = this.#state
    const isRefused = state.isProduction || state.issued.size > 0
    state.isProduction = state.isProduction || mode === 'production'
    return isRefused ? 'MODE_FIXED' : 0
  }

  #answer(command: Command): Answer {
    const state = this.#state
    switch (command.type) {
      case 'mode.set':
        return this.#setMode(command)
      case 'user.open':
        return this.#openUser(command)
      case 'user.set': {
        const { user, isFrozen } = command
        state.users[user - 1]!.isFrozen = isFrozen
        state.events.push({ type: 'user.changed', user, isFrozen } as Event)
        return 0
      }
      case 'user.certify': {
        const { user, isCertified } = command
        state.users[user - 1]!.isCertified = isCertified
        state.events.push({ type: 'user.certified', user, isCertified } as Event)
        return capTurnover(state, user)
      }
      case 'user.house': {
        const { user, isHouse } = command
        state.users[user - 1]!.isHouse = isHouse
        state.events.push({ type: 'user.housed', user, isHouse })
        return capTurnover(state, user)
      }
      case 'user.rest':
        return rest(state, command)
      case 'user.staff': {
        const { user, isStaff } = command
        state.events.push({ type: 'user.staffed', user, isStaff })
        return 0
      }
      case 'exchange.operate':
        return this.#operate(command)
      case 'asset.list':
        return this.#listAsset(command)
      case 'market.list':
        return this.#listMarket(command)
      case 'market.set':
        return this.#setMarket(command)
      case 'fees.set':
        return this.#setFees(command)
      case 'index.tick':
        return this.#tickIndex(command)
      case 'clock.tick':
        if (state.sweeps.length > 0) sweep(state, 0)
        endOld(state)
        return 0
      case 'funds.faucet':
        return this.#faucet(command)
      case 'funds.transfer':
        return this.#transfer(command)
      case 'funds.system':
        return this.#fundSystem(command)
      case 'spot.place':
        return place(state, command)
      case 'spot.placeOco':
        return placeOco(state, command)
      case 'spot.placeList':
        return placeList(state, command)
      case 'spot.amend':
        return amend(state, command)
      case 'spot.cancel':
        return cancel(state, command)
      case 'spot.cancelAll':
        return cancelAll(state, command)
      default:
        throw new Error(`the oracle of the spot market does not know ${(command as Command).type}`)
    }
  }

  #openUser(command: OpenUser): Answer {
    const state = this.#state
    const { referrer } = command
    if (referrer !== 0 && !state.isUser(referrer)) return 'REFERRER_UNKNOWN'
    state.users.push({ isRetail: command.class === 'retail', isFrozen: false, isCertified: false, isHouse: false, restUntil: 0 })
    const user = state.users.length
    state.events.push({ type: 'user.opened', user, class: command.class, referrer } as Event)
    return user
  }

  /** Of the changes that these runs have, one person alone can only halt a market. */
  #operate({ proposer, approver, reason, change }: OperateExchange): Answer {
    if (proposer <= 0 || approver <= 0 || reason.trim() === '') return 'FIELD_INVALID'
    if (proposer === approver) {
      const now = change.type === 'market.set' ? this.#state.venue(change.market)?.market.terms : undefined
      const halted = JSON.stringify(Object.entries({ ...now, isTrading: false }).sort())
      const isHalt = now !== undefined && change.type === 'market.set' && JSON.stringify(Object.entries(change.terms).sort()) === halted
      if (!isHalt) return 'FORBIDDEN'
    }
    return this.#answer(change)
  }

  #listAsset({ symbol, scale }: ListAsset): Answer {
    const state = this.#state
    if (!/^[A-Z0-9]{2,10}$/.test(symbol) || scale < 0 || scale > 12) return 'FIELD_INVALID'
    if (state.assets.some((asset) => asset.symbol === symbol)) return 'ASSET_EXISTS'
    const asset = { id: state.assets.length + 1, symbol, scale }
    state.assets.push(asset as Asset)
    state.events.push({ type: 'asset.listed', asset } as Event)
    return 0
  }

  #listMarket({ symbol, base, quote, tick, lot, terms }: ListMarket): Answer {
    const state = this.#state
    const [baseAsset, quoteAsset] = [state.assets[base - 1], state.assets[quote - 1]]
    if (!/^[A-Z0-9]{4,20}$/.test(symbol)) return 'FIELD_INVALID'
    if (baseAsset === undefined || quoteAsset === undefined) return 'ASSET_UNKNOWN'
    if (state.venues.some(({ market }) => market.symbol === symbol)) return 'MARKET_EXISTS'
    const basePerLot = wholeUnits([lot], baseAsset.scale)
    const quotePerTickLot = wholeUnits([tick, lot], quoteAsset.scale)
    const isWhole = base !== quote && basePerLot > 0 && quotePerTickLot > 0 && wholeUnits([tick], 8) > 0
    if (!isWhole || !areValid(terms, basePerLot)) return 'MARKET_TERMS_INVALID'
    const market = { id: state.venues.length + 1, symbol, base, quote, tick, lot, basePerLot, quotePerTickLot, terms } as unknown as Market
    state.venues.push({
      ...{ market, index: 0, isIndexGood: false, lastPrice: 0, lastTrade: 0, lastPrevented: 0, trades: [] },
      ...{ opensAt: terms.isTrading ? 0 : undefined, haltedAt: 0, openedAt: 0 },
    })
    state.events.push({ type: 'market.listed', market })
    return 0
  }

  #setMarket({ market: id, terms }: SetMarket): Answer {
    const venue = this.#state.venue(id)
    if (venue === undefined) return 'MARKET_UNKNOWN'
    if (!areValid(terms, venue.market.basePerLot)) return 'MARKET_TERMS_INVALID'
    halt(this.#state, venue, terms.isTrading)
    venue.market = { ...venue.market, terms }
    this.#state.events.push({ type: 'market.changed', market: venue.market })
    return 0
  }

  #setFees({ tiers }: SetFees): Answer {
    const isRate = (ppm: number): boolean => ppm >= 0 && ppm <= 100_000
    const ascends = tiers.every(({ volumeMin }, i) => (i === 0 ? volumeMin === 0 : volumeMin > (tiers[i - 1]?.volumeMin ?? 0)))
    const areRates = tiers.every(({ makerPpm, takerPpm }) => isRate(makerPpm) && isRate(takerPpm))
    if (tiers.length < 1 || tiers.length > 10 || !ascends || !areRates) return 'FIELD_INVALID'
    this.#state.fees = tiers
    this.#state.events.push({ type: 'fees.changed', tiers, perpTiers: [] })
    return 0
  }

  #tickIndex({ prices }: IndexTick): Answer {
    const state = this.#state
    for (const named of prices) {
      const { market, price, sources } = named
      const venue = state.venue(market)
      if (venue === undefined) return 'MARKET_UNKNOWN'
      const { units, per } = fraction(venue.market.tick)
      // A corrected price can be up to 5 % below the price of the tick.
      const least = (named.quotes ?? []).length === 0 ? price : price - Math.floor(price / 20)
      const ticks = price <= 0 ? 0n : (BigInt(least) * per) / (units * 100_000_000n)
      if (ticks < 1n || ticks > 2n ** 31n - 1n || sources < 0 || !areQuotesValid(named)) return 'FIELD_INVALID'
    }
    const tick = this.#tape.extend(state.at, prices)
    for (const { market, price, sources, isGood } of tick.prices) {
      const venue = state.venue(market) as Venue
      venue.index = price
      venue.isIndexGood = isGood
      state.events.push({ type: 'index.ticked', market, price, sources, isGood })
    }
    beginTries(state)
    endOld(state)
    state.events.push(tick)
    return 0
  }

  #faucet({ user, asset, amount }: Faucet): Answer {
    const state = this.#state
    if (state.isProduction) return 'SANDBOX_ONLY'
    if (state.users[user - 1]?.isFrozen) return 'USER_FROZEN'
    if (state.assets[asset - 1] === undefined) return 'ASSET_UNKNOWN'
    if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
    const issued = (state.issued.get(asset) ?? 0n) + BigInt(amount)
    if (issued > 2n ** 52n) return 'SUPPLY_EXCEEDED'
    state.issued.set(asset, issued)
    state.system('outside:sandbox', asset).available -= BigInt(amount)
    state.account(user, 'spot', asset).available += BigInt(amount)
    return 0
  }

  #fundSystem({ account, asset, amount }: FundSystem): Answer {
    const state = this.#state
    if (state.isProduction) return 'SANDBOX_ONLY'
    if (state.assets[asset - 1] === undefined) return 'ASSET_UNKNOWN'
    if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
    const issued = (state.issued.get(asset) ?? 0n) + BigInt(amount)
    if (issued > 2n ** 52n) return 'SUPPLY_EXCEEDED'
    state.issued.set(asset, issued)
    state.system('outside:sandbox', asset).available -= BigInt(amount)
    state.system(account, asset).available += BigInt(amount)
    return 0
  }

  #transfer({ user, asset, from, to, amount }: Transfer): Answer {
    const state = this.#state
    if (state.users[user - 1]?.isFrozen) return 'USER_FROZEN'
    if (to !== 'spot' && isResting(state, user)) return 'RESTING'
    if (state.assets[asset - 1] === undefined) return 'ASSET_UNKNOWN'
    if (from === to) return 'ACCOUNT_SAME'
    const isOpen = (kind: string): boolean => ['spot', 'perp', 'margin-cross', 'option'].includes(kind)
    if (!accountKinds.includes(from) || !isOpen(from) || !isOpen(to)) return 'ACCOUNT_CLOSED'
    if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
    const source = state.account(user, from, asset)
    if (source.available < BigInt(amount)) return 'INSUFFICIENT_BALANCE'
    // Margin trading needs a verified user, and its terms are never set in these runs.
    if (to === 'margin-cross') return state.users[user - 1]?.isCertified ? 'PRODUCT_CLOSED' : 'NOT_CERTIFIED'
    // Margin of futures and stakes of Second are in USDT.
    if (['perp', 'option'].includes(to) && state.assets[asset - 1]?.symbol !== 'USDT') return 'ASSET_NOT_IN_ACCOUNT'
    source.available -= BigInt(amount)
    state.account(user, to, asset).available += BigInt(amount)
    return movementsFrom + state.seq
  }
}

/** The content of a request, without its user and client id. Two commands with the same content are the same request. */
function bodyOf(command: Command): string {
  const { clientId, requestId, user, ...asked } = command as Command & { clientId?: string; requestId?: string; user?: number }
  return JSON.stringify([clientId === undefined, requestId === undefined, user === undefined, ...Object.entries(asked).sort()])
}

/** The product of decimal texts in units of that scale; 0 if it is not whole or not above zero. */
function wholeUnits(texts: readonly string[], scale: number): number {
  if (texts.some((text) => !/^\d+(\.\d+)?$/.test(text))) return 0
  const parts = texts.map(fraction)
  const units = parts.reduce((product, part) => product * part.units, 10n ** BigInt(scale))
  const per = parts.reduce((product, part) => product * part.per, 1n)
  return units % per === 0n && units / per <= BigInt(sumMax) ? Number(units / per) : 0
}

function areValid(terms: MarketTerms, basePerLot: number): boolean {
  const { makerFeePpm, takerFeePpm, notionalMin, lotsMin, lotsMax, bandPpm, slippagePpm, openOrdersMax } = terms
  const bounds: readonly (readonly [number, number, number])[] = [
    [makerFeePpm, 0, 100_000],
    [takerFeePpm, 0, 100_000],
    [notionalMin, 0, sumMax],
    [lotsMin, 1, lotsMax],
    [bandPpm, 1, million],
    [slippagePpm, 1, million],
    [openOrdersMax, 1, 10_000],
  ]
  const isMovable = BigInt(lotsMax) * BigInt(basePerLot) <= BigInt(sumMax)
  return isMovable && bounds.every(([value, low, high]) => value >= low && value <= high)
}

function viewOf(order: Order): OpenOrder {
  const { list, user, clientId, market, side, orderType, timeInForce, status, price, lots, spend, executedLots, executedQuote } = order
  const { isPostOnly, display, trigger, selfTrade, placedAt, updatedAt, preventedLots, preventedMatch, strategy, triggeredAt } = order
  const view = { order: order.order, list, user, clientId, market, side, orderType, timeInForce, status, price, lots, spend, executedLots }
  const rest = { executedQuote: Number(executedQuote), isPostOnly, display, placedAt, updatedAt }
  const usual = { ...(trigger === undefined ? {} : { trigger }), ...(selfTrade === 'expire-taker' ? {} : { selfTrade }) }
  const some = {
    ...usual,
    ...(preventedLots === 0 ? {} : { preventedLots, preventedMatch }),
    ...(strategy === undefined ? {} : { strategy }),
  }
  const tried = triggeredAt === undefined ? {} : { triggeredAt }
  const waits = order.role === 'waiting' ? { isWaiting: true } : {}
  return { ...view, ...rest, ...some, ...tried, ...waits } as unknown as OpenOrder
}
