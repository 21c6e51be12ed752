/** Liquidations of a workload of all desks, found in its events, and explained by an exchange of their own. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Units } from '@candor/core/money/brand.ts'
import { formatLots } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { MarginMode } from '@candor/core/protocol/command/perp.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OrderId, Seq } from '@candor/core/protocol/ids.ts'
import { DesksWorkload } from '../../../simulator/desks/workload.ts'
import type { Step } from '../../../simulator/workload.ts'
import type { LiquidationPlace } from '../liquidation/futures.ts'
import type { MarginLiquidationPlace } from '../liquidation/margin.ts'
import { execute } from './replay.ts'

/** Steps that are further apart are of another liquidation. */
const pauseMs = 600_000
const [usdtScale, levelScale] = [6, 6]

type Grown<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] } & { lastAt: number }
export type Ran = {
  readonly ran: readonly Step[]
  readonly futures: readonly LiquidationPlace[]
  readonly margin: readonly MarginLiquidationPlace[]
}

/** Runs one seed, and notes its liquidations as the tables would have them. */
export function run(seed: number, steps: number): Ran {
  const [exchange, workload, ran] = [Exchange.create(), new DesksWorkload(seed), [] as Step[]]
  const found = new Found(exchange)
  for (let n = 0; n < steps; n++) {
    const step = workload.next(exchange.nextDueAtMs === Infinity ? undefined : exchange.nextDueAtMs)
    const events = execute(exchange, step)
    workload.observe(events)
    ran.push(step)
    for (const event of events) found.see(event, step.stamp.seq as Seq, step.stamp.at)
  }
  return { ran, futures: found.futures, margin: found.margin }
}

class Found {
  readonly futures: Grown<LiquidationPlace>[] = []
  readonly margin: Grown<MarginLiquidationPlace>[] = []
  readonly #modes = new Map<OrderId, MarginMode>()
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  see(event: Event, seq: Seq, at: number): void {
    if (event.type === 'perp.position') this.#modes.set(event.position, event.mode)
    if (event.type === 'perp.liquidated') this.#futures(event, seq, at)
    if (event.type === 'margin.level' || event.type === 'margin.loan' || event.type === 'margin.liquidated') this.#margin(event, seq, at)
  }

  #futures(event: Extract<Event, { readonly type: 'perp.liquidated' }>, seq: Seq, at: number): void {
    const { user, position } = event
    const mode = this.#modes.get(position)!
    const { symbol, lot } = this.#exchange.listing().markets.find(({ id }) => id === event.market)!
    const isSame = (one: LiquidationPlace): boolean =>
      mode === 'cross' ? one.user === user && one.mode === mode : one.position === position && one.mode === mode
    let place = this.futures.findLast(isSame)
    if (place === undefined || at - place.lastAt > pauseMs) {
      place = { user, position, symbol, mode, commands: [], omitted: 0, recorded: [], lastAt: at }
      this.futures.push(place)
    }
    Object.assign(place, { position, symbol, lastAt: at })
    if (place.commands.at(-1) !== seq) place.commands.push(seq)
    const sums = { equity: event.equity, maintenance: event.maintenance, fee: event.fee, insured: event.insured }
    place.recorded.push({ seq, position, closed: formatLots(event.closedLots, lot), ...wordsOf(sums) })
  }

  #margin(event: Extract<Event, { readonly type: 'margin.level' | 'margin.loan' | 'margin.liquidated' }>, seq: Seq, at: number): void {
    const { user, market } = event
    const symbol = this.#exchange.listing().markets.find(({ id }) => id === market)?.symbol
    if (event.type === 'margin.level' && event.state === 'liquidating')
      this.margin.push({ user, symbol, market, commands: [seq], omitted: 0, recorded: [], lastAt: at })
    const place = this.margin.findLast((one) => one.user === user && one.market === market)
    if (place === undefined || event.type === 'margin.level') return
    if (event.type === 'margin.loan' && event.cause !== 'liquidation' && event.cause !== 'insurance') return
    if (place.commands.at(-1) !== seq) place.commands.push(seq)
    if (event.type === 'margin.loan') return
    const { assets, debt, fee, insured } = event
    place.recorded.push({ seq, level: formatUnits(event.levelPpm, levelScale), ...wordsOf({ assets, debt, fee, insured }) })
  }
}

function wordsOf<K extends string>(sums: Readonly<Record<K, Units>>): Record<K, string> {
  const words = Object.entries<Units>(sums).map(([name, units]) => [name, formatUnits(units, usdtScale)])
  return Object.fromEntries(words) as Record<K, string>
}

/** A decimal text in units of the given scale. */
export function unitsOf(text: string, scale = usdtScale): bigint {
  const [whole = '', part = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + part.padEnd(scale, '0').slice(0, scale))
  return text.startsWith('-') ? -units : units
}
