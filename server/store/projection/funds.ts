import { formatFixed } from '@candor/core/money/units.ts'
import type { EntryEvent, EntryReason, Event } from '@candor/core/protocol/event/index.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

/** What an entry was about: an order of a market; 0 where it was several orders, '' where several markets. */
type Reference = { symbol: string; order: number }

const dayMs = 86_400_000

/** Ledger entries, and the balance that the last one of each account left, in all and of each UTC day. */
export class FundsProjection {
  readonly #known: Known
  /** Per account of a user or of the exchange: its row, replaced by each later entry of the batch. */
  readonly #balances = new Map<string, LastEntry>()
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

  /** All events of one command: what its entries were for stands in the others. */
  applyCommand(events: readonly Event[], seq: number, at: number): void {
    let references: References | undefined
    let line = 0
    for (const event of events) {
      if (event.type !== 'entry') continue
      line++
      references ??= referencesOf(events, this.#known)
      this.#apply(event, seq, at, line, references)
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const last of this.#balances.values()) {
      const { entry, seq } = last
      const { scale, symbol } = this.#known.asset(entry.account.asset)
      this.#balanceRows.push(...this.#owner(entry), symbol, formatFixed(entry.available, scale), formatFixed(entry.held, scale), seq)
      this.#pushDay(last)
    }
    this.#balances.clear()
    return [this.#entryRows.take(), this.#balanceRows.take(), this.#dayRows.take()]
  }

  #apply(entry: EntryEvent, seq: number, at: number, line: number, references: References): void {
    const { account, reason } = entry
    const user = 'user' in account ? account.user : 0
    const market = 'user' in account ? (account.market ?? 0) : 0
    const key = `${user}:${'user' in account ? account.kind : account.system}:${market}:${account.asset}`
    const day = at - (at % dayMs)
    const before = this.#balances.get(key)
    if (before !== undefined && before.day !== day) this.#pushDay(before)
    this.#balances.set(key, { entry, seq, day })
    if ((reason === 'hold' || reason === 'release') && this.#known.isQuiet(user)) return

    const { scale, symbol } = this.#known.asset(account.asset)
    const reference = references[aboutOf(reason)]?.get(user)
    this.#entryRows.push(
      seq,
      line,
      at,
      ...this.#owner(entry),
      symbol,
      reason,
      formatFixed(entry.delta, scale),
      formatFixed(entry.heldDelta, scale),
      formatFixed(entry.available, scale),
      formatFixed(entry.held, scale),
      reference?.symbol || null,
      reference?.order || null,
    )
  }

  #pushDay({ entry, day }: LastEntry): void {
    if ('system' in entry.account) return
    const { scale, symbol } = this.#known.asset(entry.account.asset)
    this.#dayRows.push(...this.#owner(entry), symbol, day, formatFixed(entry.available + entry.held, scale))
  }

  /** user_id, kind, market of an account's row. */
  #owner({ account }: EntryEvent): readonly [number, string, string] {
    if ('system' in account) return [0, account.system, '']
    return [account.user, account.kind, account.market === undefined ? '' : this.#known.market(account.market).market.symbol]
  }
}

/** What an account's last entry was, and the UTC day of it. */
type LastEntry = { readonly entry: EntryEvent; readonly seq: number; readonly day: number }

type About = 'trades' | 'holds' | 'funding' | 'stakes' | 'payouts'
type References = { readonly [A in About | 'nothing']: ReadonlyMap<number, Reference> | undefined }

/** Which events of its command say what an entry was for. */
function aboutOf(reason: EntryReason): keyof References {
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

/** Per user, the order that the command's entries belong to; in trades the exchange itself (0) takes part. */
function referencesOf(events: readonly Event[], known: Known): References {
  const trades = new Map<number, Reference>()
  const holds = new Map<number, Reference>()
  const funding = new Map<number, Reference>()
  const stakes = new Map<number, Reference>()
  const payouts = new Map<number, Reference>()
  for (const event of events) {
    if (event.type === 'traded') {
      const { symbol } = known.market(event.market).market
      refer(trades, event.makerUser, symbol, event.makerOrder)
      refer(trades, event.takerUser, symbol, event.takerOrder)
      refer(trades, 0, symbol, 0)
    } else if (event.type === 'perp.liquidated' || event.type === 'perp.deleveraged') {
      refer(trades, event.user, known.market(event.market).market.symbol, event.type === 'perp.liquidated' ? event.order : 0)
    } else if (event.type === 'perp.fundingPaid') {
      refer(funding, event.user, known.market(event.market).market.symbol, 0)
    } else if (event.type === 'order.prevented') {
      refer(holds, event.user, known.market(event.market).market.symbol, event.makerOrder)
    } else if (event.type === 'order.accepted' || event.type === 'order.amended' || event.type === 'order.closed') {
      refer(holds, event.user, known.market(event.market).market.symbol, event.order)
    } else if (event.type === 'option.opened' || event.type === 'option.settled') {
      const { symbol } = known.market(event.market).market
      refer(holds, event.user, symbol, event.order)
      if (event.type === 'option.settled' && event.result === 'lose') refer(stakes, event.user, symbol, event.order)
      if (event.type === 'option.settled' && event.result === 'win') refer(payouts, event.user, symbol, event.order)
    }
  }
  return { trades, holds, funding, stakes, payouts, nothing: undefined }
}

function refer(references: Map<number, Reference>, user: number, symbol: string, order: number): void {
  const reference = references.get(user)
  if (reference === undefined) {
    references.set(user, { symbol, order })
    return
  }
  if (reference.symbol !== symbol) reference.symbol = ''
  if (reference.order !== order) reference.order = 0
}
