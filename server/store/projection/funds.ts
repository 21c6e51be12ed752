import type { OrderId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { type AccountRef, accountKinds, systemAccounts } from '@candor/core/protocol/account.ts'
import type { EntryEvent, EntryReason, Event } from '@candor/core/protocol/event/index.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

/** The cause of an entry: the order and market; 0 for several orders, '' for several markets. */
type Reference = { symbol: string; order: OrderId }

/** The exchange itself as the user of an entry. */
const exchange = 0 as UserId
/** In place of several orders, or of none. */
const noOrder = 0 as OrderId

const dayMs = 86_400_000

/** Ledger entries, and the balance after each account's last entry, overall and per UTC day. */
export class FundsProjection {
  readonly #known: Known
  /** Per account of a user or of the exchange: its row, replaced by each later entry of the batch. */
  readonly #balances = new Map<number | string, LastEntry>()
  readonly #entryRows = new Columns('ledger_entries', {
    seq: 'bigint',
    line: 'integer',
    at_ms: 'bigint',
    user_id: 'bigint',
    kind: 'text',
    market: 'text',
    asset: 'text',
    reason: 'text',
    delta: 'numeric',
    held_delta: 'numeric',
    available: 'numeric',
    held: 'numeric',
    symbol: 'text',
    order_id: 'bigint',
  })
  readonly #balanceRows = new Columns(
    'balances',
    { user_id: 'bigint', kind: 'text', market: 'text', asset: 'text', available: 'numeric', held: 'numeric', seq: 'bigint' },
    `(user_id, kind, market, asset) do update set ${overwrite('available', 'held', 'seq')}`,
  )

  readonly #dayRows = new Columns(
    'balance_days',
    { user_id: 'bigint', kind: 'text', market: 'text', asset: 'text', day_ms: 'bigint', total: 'numeric' },
    `(user_id, kind, market, asset, day_ms) do update set ${overwrite('total')}`,
  )

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#entryRows.length + this.#balances.size
  }

  /** Processes all events of one command: the causes of its entries are in its other events. */
  applyCommand(events: readonly Event[], seq: Seq, at: Millis): void {
    let references: References | undefined
    let line = 0
    for (const event of events) {
      if (event.type !== 'entry') continue
      line++
      this.#keep(event, seq, at)
      const { account, reason } = event
      const user = 'user' in account ? account.user : exchange
      if ((reason === 'hold' || reason === 'release') && this.#known.isQuiet(user)) continue
      references ??= referencesOf(events, this.#known)
      this.#push(event, seq, at, line, references.of(aboutOf(reason), user))
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const last of this.#balances.values()) {
      const { entry, seq } = last
      const rows = this.#balanceRows
      this.#addAccount(rows, entry)
      const { scale } = this.#known.asset(entry.account.asset)
      rows.addFixed(entry.available, scale).addFixed(entry.held, scale).add(seq)
      this.#pushDay(last)
    }
    this.#balances.clear()
    return [this.#entryRows.take(), this.#balanceRows.take(), this.#dayRows.take()]
  }

  #keep(entry: EntryEvent, seq: Seq, at: Millis): void {
    const key = keyOf(entry.account)
    const day = at - (at % dayMs)
    const before = this.#balances.get(key)
    if (before === undefined) {
      this.#balances.set(key, { entry, seq, day })
      return
    }
    if (before.day !== day) this.#pushDay(before)
    before.entry = entry
    before.seq = seq
    before.day = day
  }

  #push(entry: EntryEvent, seq: Seq, at: Millis, line: number, reference: Reference | undefined): void {
    const rows = this.#entryRows
    rows.add(seq).add(line).add(at)
    this.#addAccount(rows, entry)
    const { scale } = this.#known.asset(entry.account.asset)
    rows.add(entry.reason).addFixed(entry.delta, scale).addFixed(entry.heldDelta, scale)
    rows.addFixed(entry.available, scale).addFixed(entry.held, scale)
    rows.add(reference?.symbol || null).add(reference?.order || null)
  }

  #pushDay({ entry, day }: LastEntry): void {
    if ('system' in entry.account) return
    this.#addAccount(this.#dayRows, entry)
    this.#dayRows.add(day).addFixed(entry.available + entry.held, this.#known.asset(entry.account.asset).scale)
  }

  /** Adds the columns user_id, kind, market and asset of an account. */
  #addAccount(rows: Columns, { account }: EntryEvent): void {
    const { symbol } = this.#known.asset(account.asset)
    if ('system' in account) {
      rows.add(0).add(account.system).add('').add(symbol)
      return
    }
    const market = account.market === undefined ? '' : this.#known.market(account.market).market.symbol
    rows.add(account.user).add(account.kind).add(market).add(symbol)
  }
}

/** An account's last entry, and its UTC day. */
type LastEntry = { entry: EntryEvent; seq: number; day: number }

const kindNumbers = new Map<string, number>([...accountKinds, ...systemAccounts].map((name, number) => [name, number]))
const kindsMax = 32
const idsMax = 2 ** 12
const usersMax = 2 ** 24

/**
 * A key unique to each account of a user or of the exchange. It is a number, which is faster to look up, unless an id exceeds its
 * share of the number's bits.
 */
function keyOf(account: AccountRef): number | string {
  const isUser = 'user' in account
  const user = isUser ? account.user : 0
  const market = isUser ? (account.market ?? 0) : 0
  const kind = kindNumbers.get(isUser ? account.kind : account.system) as number
  const { asset } = account
  if (user >= usersMax || market >= idsMax || asset >= idsMax) return `${user} ${market} ${asset} ${kind}`
  return ((user * idsMax + market) * idsMax + asset) * kindsMax + kind
}

const abouts = ['trades', 'holds', 'funding', 'stakes', 'payouts', 'nothing'] as const
type About = (typeof abouts)[number]

/** Causes of a command's entries, by user: the exchange itself (0) takes part in trades. */
class References {
  readonly #references = new Map<number, Reference>()

  of(about: About, user: UserId): Reference | undefined {
    return this.#references.get(user * abouts.length + abouts.indexOf(about))
  }

  add(about: About, user: UserId, symbol: string, order: OrderId): void {
    const key = user * abouts.length + abouts.indexOf(about)
    const reference = this.#references.get(key)
    if (reference === undefined) {
      this.#references.set(key, { symbol, order })
      return
    }
    if (reference.symbol !== symbol) reference.symbol = ''
    if (reference.order !== order) reference.order = noOrder
  }
}

/** Events of a command that give the cause of its entries. */
function aboutOf(reason: EntryReason): About {
  switch (reason) {
    case 'trade':
    case 'fee':
    case 'realised':
    case 'liquidation-fee':
    case 'insurance':
    case 'deleverage':
      return 'trades'
    case 'hold':
    case 'release':
      return 'holds'
    case 'funding':
      return 'funding'
    case 'stake':
      return 'stakes'
    case 'payout':
      return 'payouts'
    default:
      return 'nothing'
  }
}

function referencesOf(events: readonly Event[], known: Known): References {
  const references = new References()
  for (const event of events) {
    if (event.type === 'traded') {
      const { symbol } = known.market(event.market).market
      references.add('trades', event.makerUser, symbol, event.makerOrder)
      references.add('trades', event.takerUser, symbol, event.takerOrder)
      references.add('trades', exchange, symbol, noOrder)
    } else if (event.type === 'perp.liquidated' || event.type === 'perp.deleveraged') {
      const order = event.type === 'perp.liquidated' ? event.order : noOrder
      references.add('trades', event.user, known.market(event.market).market.symbol, order)
    } else if (event.type === 'perp.fundingPaid') {
      references.add('funding', event.user, known.market(event.market).market.symbol, noOrder)
    } else if (event.type === 'order.prevented') {
      references.add('holds', event.user, known.market(event.market).market.symbol, event.makerOrder)
    } else if (event.type === 'order.accepted' || event.type === 'order.amended' || event.type === 'order.closed') {
      references.add('holds', event.user, known.market(event.market).market.symbol, event.order)
    } else if (event.type === 'option.opened' || event.type === 'option.settled') {
      const { symbol } = known.market(event.market).market
      references.add('holds', event.user, symbol, event.order)
      if (event.type === 'option.settled' && event.result === 'lose') references.add('stakes', event.user, symbol, event.order)
      if (event.type === 'option.settled' && event.result === 'win') references.add('payouts', event.user, symbol, event.order)
    }
  }
  return references
}
