import { randomUUID } from 'node:crypto'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import {
  alertsMax,
  type WireAlert,
  type WireAlerts,
  type WireAlertTerms,
  type WireNewAlert,
} from '@candor/core/protocol/wire/own/alerts.ts'
import type { ListedMarket } from '../live/listing.ts'
import type { MarketData } from '../live/data.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/open.ts'
import { changePpm, numbersOf, seriesOf, valueText } from './numbers.ts'
import { type AlertDb, alertDb, type AlertRow, wireAlert } from './tables.ts'
import { near, type Turn, Watch, type Watched } from './watch.ts'
import { TurnWriter } from './writer.ts'

/** How often changes over 24 hours are computed again without a trade: the window moves on. */
const rollMs = 10_000
/**
 * How long an alert rests after it was told. Two accounts of one person can make a thin market cross a level many times a second, and
 * each crossing costs transactions that the alerts of all others wait for.
 */
export const restMs = 60_000

export type AlertParts = {
  readonly store: Store
  readonly data: Pick<MarketData, 'listing' | 'market' | 'contracts' | 'onCommand' | 'onReset'>
  readonly now: () => Millis
  /** Other gateways, which watch the same alerts. */
  readonly others?: { readonly tell: (id: string) => void; readonly hear: (listener: (id: string) => Promise<void>) => void }
  readonly onFault: (cause: unknown) => void
}

/** The price alerts of customers: kept in a table, watched on released prices, told as notices. */
export class Alerts implements AsyncDisposable {
  readonly #db: AlertDb
  readonly #data: AlertParts['data']
  readonly #now: () => Millis
  readonly #watch = new Watch()
  /** What is watched, as it was read or written last. */
  readonly #rows = new Map<string, AlertRow>()
  /** Those of them that rest. */
  readonly #resting = new Set<string>()
  readonly #others: AlertParts['others']
  readonly #onFault: AlertParts['onFault']
  readonly #writer: TurnWriter
  readonly #timer: NodeJS.Timeout

  constructor({ store, data, now, others, onFault }: AlertParts) {
    this.#db = alertDb(store)
    this.#data = data
    this.#now = now
    this.#others = others
    this.#onFault = onFault
    this.#writer = new TurnWriter(this.#db, onFault)
    this.#timer = setInterval(() => this.roll(), rollMs).unref()
  }

  /** Watches all alerts from now on. What was crossed while the exchange was away, and still is, is told now. Call it once the market data is there. */
  async start(): Promise<this> {
    this.#others?.hear((id) => this.#read(id).catch(this.#onFault))
    const rows = await this.#db.selectFrom('alerts').selectAll().where('state', 'in', ['armed', 'waiting']).execute()
    for (const row of rows) this.#put(row)
    this.#data.onCommand((events, outcome) => this.#hear(events, outcome))
    this.#data.onReset(() => this.#look())
    this.#look()
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#watch.clear()
    await this.#writer[Symbol.asyncDispose]()
  }

  /** Looks again at what changes without an event: the changes over 24 hours, and alerts whose rest is over. */
  roll(): void {
    for (const id of this.#resting) {
      const row = this.#rows.get(id) as AlertRow
      if (restsUntil(row) > this.#now()) continue
      this.#put(row)
      // What was crossed during the rest, and lasts, is told now.
      const market = this.#data.listing.marketNamedIfAny(row.symbol)
      if (market !== undefined) this.#present(seriesOf(row, market))
    }
    this.#roll()
  }

  async list(account: string): Promise<WireAlerts> {
    const rows = await this.#db
      .selectFrom('alerts')
      .selectAll()
      .where('account', '=', account)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute()
    return { alerts: rows.map(wireAlert), max: alertsMax }
  }

  /** throws  Refused MARKET_UNKNOWN, FIELD_INVALID, TOO_MANY_DIGITS, PRICE_INVALID, ALERT_REACHED, ALERT_LIMIT */
  async create(account: string, asked: WireNewAlert): Promise<WireAlert> {
    const terms = this.#columns(asked)
    const row = await this.#db.transaction().execute(async (db) => {
      // One request of an account at a time, so that the limit holds.
      await db.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().execute()
      const { count } = await db
        .selectFrom('alerts')
        .select((found) => found.fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .executeTakeFirstOrThrow()
      if (Number(count) >= alertsMax) throw new Refused('ALERT_LIMIT')
      const values = { ...terms, id: randomUUID(), account, created_at: this.#now(), last_at: null, last_value: null }
      return db.insertInto('alerts').values(values).returningAll().executeTakeFirstOrThrow()
    })
    this.#put(row)
    this.#others?.tell(row.id)
    return wireAlert(row)
  }

  /** Replaces the terms; what was told before still counts. throws  Refused NOT_FOUND, and as `create` */
  async replace(account: string, id: string, asked: WireNewAlert): Promise<WireAlert> {
    return this.#change(account, id, this.#columns(asked))
  }

  /** Pauses, or watches again from the present price on. throws  Refused NOT_FOUND, or MARKET_UNKNOWN for a market that is gone */
  async turn(account: string, id: string, isOn: boolean): Promise<WireAlert> {
    const row = await this.#db.selectFrom('alerts').selectAll().where('account', '=', account).where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    return this.#change(account, id, { state: isOn ? this.#stateNow(termsOf(row)) : 'paused' })
  }

  /** throws  Refused NOT_FOUND */
  async remove(account: string, id: string): Promise<void> {
    const gone = await this.#db.deleteFrom('alerts').where('account', '=', account).where('id', '=', id).returning('id').executeTakeFirst()
    if (gone === undefined) throw new Refused('NOT_FOUND')
    this.#drop(id)
    this.#others?.tell(id)
  }

  async #change(account: string, id: string, change: Partial<AlertRow>): Promise<WireAlert> {
    const row = await this.#db
      .updateTable('alerts')
      .set((found) => ({ ...change, version: found('version', '+', 1) }))
      .where('account', '=', account)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    this.#put(row)
    this.#others?.tell(id)
    return wireAlert(row)
  }

  /** Takes over what another gateway changed. */
  async #read(id: string): Promise<void> {
    const row = await this.#db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) this.#drop(id)
    else if (row.version > (this.#rows.get(id)?.version ?? -1)) this.#put(row)
  }

  /** The columns of asked terms, with the state that the present price gives. */
  #columns({ symbol, condition, source, level, rearm, note, isOn, isReachedFine }: WireNewAlert) {
    const market = this.#data.listing.marketNamed(symbol)
    if (source === 'mark' && market.wire.kind !== 'perp') throw new Refused('FIELD_INVALID', { field: 'source' })
    const terms = { symbol, condition, source, level, ...(rearm === undefined ? {} : { rearm }) }
    const now = this.#stateNow(terms)
    if (isOn && now === 'waiting' && !isReachedFine) throw new Refused('ALERT_REACHED', { field: 'level' })
    return { symbol, condition, source, level, rearm: rearm ?? null, note, state: isOn ? now : ('paused' as const) }
  }

  /** `waiting` while the price is at or beyond the level: only the next crossing counts. */
  #stateNow(terms: Omit<WireAlertTerms, 'note'>): 'armed' | 'waiting' {
    const market = this.#data.listing.marketNamed(terms.symbol)
    const { series, direction, level } = numbersOf(terms, market)
    const value = this.#valueOf(series)
    return value !== undefined && (value - level) * direction >= 0 ? 'waiting' : 'armed'
  }

  #put(row: AlertRow): void {
    this.#drop(row.id)
    const market = this.#data.listing.marketNamedIfAny(row.symbol)
    if (market === undefined || (row.state !== 'armed' && row.state !== 'waiting')) return
    this.#rows.set(row.id, row)
    if (restsUntil(row) > this.#now()) this.#resting.add(row.id)
    else this.#watch.put(watchedOf(row, market))
  }

  #drop(id: string): void {
    this.#rows.delete(id)
    this.#resting.delete(id)
    this.#watch.drop(id)
  }

  #hear(events: readonly Event[], { at }: OutcomeEvent): void {
    if (this.#watch.size === 0) return
    for (const event of events) {
      if (event.type === 'traded' && event.makerUser !== event.takerUser) {
        this.#take(`last ${event.market}`, event.price, at)
        this.#roll(event.market)
      } else if (event.type === 'index.ticked' && event.isGood) this.#take(`index ${event.market}`, event.price, at)
      else if (event.type === 'perp.marked') this.#take(`mark ${event.market}`, event.mark, at)
    }
  }

  #take(series: string, value: number, at: Millis): void {
    for (const turn of this.#watch.value(series, value)) this.#tell(turn, at)
  }

  #tell(turn: Turn, at: Millis): void {
    const row = this.#rows.get(turn.id)
    const market = row && this.#data.listing.marketNamedIfAny(row.symbol)
    if (row === undefined || market === undefined) return
    this.#writer.add({ ...turn, row, text: valueText(row, market, turn.value), at })
    if (turn.turn === 'armed') this.#rows.set(row.id, { ...row, state: 'armed' })
    else if (row.rearm === null) this.#rows.delete(turn.id)
    else this.#put({ ...row, state: 'waiting', count: row.count + 1, last_at: at })
  }

  /** Looks at the present change over 24 hours, of one market or of all with alerts on it. */
  #roll(market?: MarketId): void {
    const found = market === undefined ? [...this.#watch.series()].filter((one) => one.startsWith('change ')) : [`change ${market}`]
    for (const series of found) this.#present(series)
  }

  /** Looks at the present value of every series. */
  #look(): void {
    for (const series of [...this.#watch.series()]) this.#present(series)
  }

  #present(series: string): void {
    if (!this.#watch.has(series)) return
    const value = this.#valueOf(series)
    if (value !== undefined) this.#take(series, value, this.#now())
  }

  #valueOf(series: string): number | undefined {
    const [kind, number] = series.split(' ')
    const id = Number(number) as MarketId
    const view = this.#data.market(id)
    if (kind === 'index') return view?.index?.price
    if (kind === 'mark') return this.#data.contracts.mark(id)
    const ticker = view?.ticker(this.#now())
    return ticker === undefined ? undefined : kind === 'last' ? ticker.last : changePpm(ticker.open, ticker.last)
  }
}

/** Time until which nothing of the alert is told. */
function restsUntil({ last_at: told }: AlertRow): number {
  return told === null ? 0 : told + restMs
}

function termsOf({ symbol, condition, source, level, rearm }: AlertRow): Omit<WireAlertTerms, 'note'> {
  return { symbol, condition, source, level, ...(rearm === null ? {} : { rearm }) }
}

/** An alert that waits after a crossing waits for its distance; one whose price was beyond from the start, for the near side of its level. */
function watchedOf(row: AlertRow, market: ListedMarket): Watched {
  const numbers = numbersOf(termsOf(row), market)
  const armsAt = row.state === 'armed' ? undefined : row.count > 0 && numbers.back !== undefined ? numbers.back : near(numbers)
  return { id: row.id, ...numbers, series: seriesOf(row, market), armsAt }
}
