import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Auditor } from './auditor.ts'
import { accountKey } from './auditor.ts'
import type { Oracle } from './oracle/oracle.ts'
import type { Step } from './workload.ts'

/** Whether the oracle predicts this event itself. It predicts entries and book levels as balances and books. */
const foretold = (event: Event): boolean => event.type !== 'entry' && event.type !== 'book.level'

/** Compares the exchange with the oracle. */
export class Comparison {
  readonly #oracle: Oracle
  readonly #auditor: Auditor
  readonly #markets = new Set<number>()

  constructor(oracle: Oracle, auditor: Auditor) {
    this.#oracle = oracle
    this.#auditor = auditor
  }

  /** After one command: compares its outcome and events, and all state of the users and markets that it touched. */
  step({ command, stamp }: Step, events: readonly Event[], exchange: Exchange): void {
    const expected = this.#oracle.execute(command, stamp)
    const actual = events.filter(foretold)
    const length = Math.max(actual.length, expected.length)
    for (let i = 0; i < length; i++) same(`event ${i} of ${command.type}`, actual[i], expected[i])
    const users = new Set<number>()
    const markets = new Set<number>()
    for (const event of events) {
      if (event.type === 'entry' && 'user' in event.account) users.add(event.account.user)
      if ('user' in event && event.user > 0) users.add(event.user)
      if ('market' in event && typeof event.market === 'number') markets.add(event.market)
      if (event.type === 'market.listed') this.#markets.add(event.market.id)
    }
    for (const user of users) this.#user(user, exchange)
    for (const market of markets) this.#book(market, exchange)
  }

  /** Compares the whole state. */
  whole(exchange: Exchange): void {
    for (let user = 1; user <= this.#oracle.userCount; user++) this.#user(user, exchange)
    for (const market of this.#markets) this.#book(market, exchange)
    const { sums, violations } = exchange.trialBalance()
    if (violations.length > 0) throw new Error(`trial balance: ${violations.join(', ')}`)
    sums.forEach((sum, asset) => {
      if (sum !== 0) throw new Error(`trial balance: asset ${asset} sums to ${sum}`)
    })
    const audited = new Map([...this.#auditor.balances()].map(([key, { available, held }]) => [key, `${available} ${held}`]))
    const expected = new Map([...this.#oracle.balances()].map(([key, { available, held }]) => [key, `${available} ${held}`]))
    for (const key of new Set([...audited.keys(), ...expected.keys()])) same(`balance of ${key}`, audited.get(key), expected.get(key))
  }

  #user(user: number, exchange: Exchange): void {
    const expected = [...this.#oracle.balancesOf(user)].map(([key, { available, held }]) => `${key}: ${available} ${held}`)
    const actual = exchange
      .balances(user as UserId)
      .filter(({ available, held }) => available !== 0 || held !== 0)
      .map(({ account, available, held }) => `${accountKey(account)}: ${available} ${held}`)
    same(`balances of user ${user}`, actual.sort(), expected.sort())
    const byNumber = (a: { order: number }, b: { order: number }): number => a.order - b.order
    same(
      `open orders of user ${user}`,
      [...exchange.openOrders(user as UserId)].sort(byNumber),
      this.#oracle.openOrders(user).sort(byNumber),
    )
    // The held amounts are exactly the needs of the open orders.
    const needs = [...this.#oracle.needsOf(user)].filter(([, need]) => need !== 0n).map(([asset, need]) => `${asset}: ${need}`)
    const held = exchange
      .balances(user as UserId)
      .filter((balance) => balance.held !== 0)
      .map((balance) => `${balance.account.asset}: ${balance.held}`)
    same(`held of user ${user}`, held.sort(), needs.sort())
  }

  #book(market: number, exchange: Exchange): void {
    const { bids, asks, update } = exchange.book(market as MarketId)
    const expected = this.#oracle.book(market)
    same(`bids of market ${market}`, bids, expected.bids)
    same(`asks of market ${market}`, asks, expected.asks)
    // The level events must add up to the same book.
    const told = this.#auditor.book(market)?.view()
    same(`levels told of market ${market}`, told, { update, bids, asks })
  }
}

/** Throws if two values differ, ignoring the order of their fields. */
function same(what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [text(actual), text(expected)]
  if (a !== b) throw new Error(`${what}\n  exchange ${a}\n  oracle   ${b}`)
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
