/** What the form of a price alert holds, and what it sends. */
import {
  type AlertCondition,
  type AlertSource,
  changeBounds,
  rearmBounds,
  type WireAlert,
  type WireNewAlert,
} from '@candor/core/protocol/wire/own/alerts.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'

export type Form = {
  readonly symbol: string
  readonly condition: AlertCondition
  readonly source: AlertSource
  readonly level: string
  readonly repeats: boolean
  readonly rearm: string
  readonly note: string
}

/** A new alert on a market. The level is empty until its owner types one. */
export function newForm(symbol: string): Form {
  return { symbol, condition: 'above', source: 'last', level: '', repeats: false, rearm: '1', note: '' }
}

export function formOf({ symbol, condition, source, level, rearm, note }: WireAlert): Form {
  return { symbol, condition, source, level, repeats: rearm !== undefined, rearm: rearm ?? '1', note }
}

export const isChange = (condition: AlertCondition): boolean => condition === 'rise' || condition === 'fall'

/** Prices that an alert on this market can follow. A change over 24 hours is always one of trades. */
export function sourcesOf(kind: WireMarket['kind'] | undefined, condition: AlertCondition): readonly AlertSource[] {
  if (isChange(condition)) return ['last']
  return kind === 'perp' ? ['last', 'mark', 'index'] : ['last', 'index']
}

/** Changes the form. What the new market or condition does not allow goes back to its start. */
export function reduced(form: Form, change: Partial<Form>, kind: WireMarket['kind'] | undefined): Form {
  const next = { ...form, ...change }
  const isOther = next.symbol !== form.symbol || isChange(next.condition) !== isChange(form.condition)
  const source = sourcesOf(kind, next.condition).includes(next.source) ? next.source : 'last'
  return { ...next, source, level: isOther && change.level === undefined ? '' : next.level }
}

export type Fault = 'level' | 'change' | 'rearm'

/** The first thing that is missing or out of bounds. */
export function faultOf({ condition, level, repeats, rearm }: Form): Fault | undefined {
  const amount = Number(level)
  if (isChange(condition)) {
    if (!(amount >= changeBounds.min && amount <= changeBounds.max)) return 'change'
  } else if (!(amount > 0)) return 'level'
  if (repeats && !(Number(rearm) >= rearmBounds.min && Number(rearm) <= rearmBounds.max)) return 'rearm'
  return undefined
}

export function requestOf(form: Form, { isOn = true, isReachedFine = false } = {}): WireNewAlert {
  const { symbol, condition, source, level, repeats, rearm, note } = form
  return { symbol, condition, source, level, ...(repeats ? { rearm } : {}), note: note.trim(), isOn, isReachedFine }
}
