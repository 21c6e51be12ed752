/** The ticket of Second as three pure functions: `reduce` applies actions, `summary` computes results, `wrong` finds the first error. */
import type { Decimal, Ppm } from '@candor/core/money/brand.ts'
import { formatFixed, parseUnits } from '@candor/core/money/units.ts'
import { optionProfit } from '@candor/core/risk/option.ts'
import type { Direction } from '@candor/core/protocol/command/option.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireOpenOption, WireOption, WireOptionMe, WireOptionTerms } from '@candor/core/protocol/wire/option.ts'

export const guards = ['', '0.05', '0.1', '0.25', '0.5'] as const
/** Allowed distance of the opening price from the index at acceptance, in percent; empty for any. */
export type Guard = (typeof guards)[number]

export type Form = { readonly seconds: number; readonly stake: string; readonly guard: Guard }

export type Action =
  | { readonly type: 'seconds'; readonly seconds: number }
  | { readonly type: 'stake'; readonly text: string }
  | { readonly type: 'guard'; readonly guard: Guard }
  /** Places the same terms again, as far as they are still offered. */
  | { readonly type: 'again'; readonly seconds: number; readonly stake: Decimal; readonly guardPpm: number }

export type Context = {
  readonly terms: WireOptionTerms
  /** The user's state; undefined for visitors and while it loads. */
  readonly me: WireOptionMe | undefined
  /** Available balance of the Second account. */
  readonly available: Decimal | undefined
  /** Room below the cap of each direction in this market. */
  readonly left: Readonly<Record<Direction, Decimal>> | undefined
  /** Decimal places of the currency. */
  readonly scale: number
}

export type Summary = {
  readonly rate: WireOptionTerms['rates'][number] | undefined
  /** Profit of a won order on top of its stake, computed as in the core. */
  readonly profit: Decimal | undefined
  /** Loss of a lost order: the stake. */
  readonly loss: Decimal | undefined
}

/** Starts with the smallest stake and a medium duration, so that nothing large or quick is suggested. */
export function emptyForm(terms: WireOptionTerms): Form {
  const middle = terms.rates[Math.floor(terms.rates.length / 2)]
  return { seconds: middle?.seconds ?? 0, stake: terms.stakeMin, guard: '' }
}

export function reduce(form: Form, action: Action, { terms, me }: Context): Form {
  switch (action.type) {
    case 'seconds':
      return { ...form, seconds: action.seconds }
    case 'stake':
      return { ...form, stake: action.text }
    case 'guard':
      return { ...form, guard: action.guard }
    case 'again': {
      const isOffered = terms.rates.some((rate) => rate.seconds === action.seconds)
      const same = guards.find((one) => one !== '' && Math.round(Number(one) * 10_000) === action.guardPpm) ?? ''
      const guard = me?.isGuardSpent === true ? '' : same
      return { seconds: isOffered ? action.seconds : form.seconds, stake: action.stake, guard }
    }
  }
}

export function summary(form: Form, { terms, scale }: Context): Summary {
  const rate = terms.rates.find((one) => one.seconds === form.seconds)
  const stake = parseUnits(form.stake, scale)
  const ppm = rate === undefined ? undefined : ppmOf(rate.profit)
  const isSum = stake !== undefined && stake > 0
  return {
    rate,
    profit: isSum && ppm !== undefined ? formatFixed(optionProfit(stake, ppm as Ppm), scale) : undefined,
    loss: isSum ? formatFixed(stake, scale) : undefined,
  }
}

/** The first refusal that the exchange would give for the stake in a direction; without a direction, in both. */
export function wrong(form: Form, { terms, me, available, left, scale }: Context, direction?: Direction): Refusal | undefined {
  if (form.stake === '') return 'FIELD_MISSING'
  const stake = parseUnits(form.stake, scale)
  if (stake === undefined) return 'TOO_MANY_DIGITS'
  if (!terms.rates.some((rate) => rate.seconds === form.seconds)) return 'DURATION_UNKNOWN'
  if (stake <= 0) return 'AMOUNT_NOT_POSITIVE'
  if (available !== undefined && stake > units(available, scale)) return 'INSUFFICIENT_BALANCE'
  if (stake < units(terms.stakeMin, scale)) return 'STAKE_TOO_SMALL'
  if (stake > units(terms.stakeMax, scale)) return 'STAKE_TOO_LARGE'
  if (me === undefined) return undefined
  const open = units(me.openStakes, scale) + stake
  if (open > units(terms.openMax, scale)) return 'STAKES_OPEN_LIMIT'
  const sides = direction === undefined ? (['up', 'down'] as const) : [direction]
  if (left !== undefined && sides.every((side) => stake > units(left[side], scale))) return 'STAKES_SIDE_LIMIT'
  if (form.guard !== '' && me.isGuardSpent) return 'GUARD_LIMIT'
  if (me.lossMax !== null && units(me.lossToday, scale) + open > units(me.lossMax, scale)) return 'LOSS_LIMIT'
  return undefined
}

/**
 * Largest stake of each direction below the caps on running stakes; undefined while it loads, and while no stake runs.
 */
export function stakesLeft({ terms, me, left, scale }: Context): Readonly<Record<Direction, Decimal>> | undefined {
  if (me === undefined || left === undefined || units(me.openStakes, scale) === 0) return undefined
  const open = Math.max(0, units(terms.openMax, scale) - units(me.openStakes, scale))
  const most = (side: Direction): Decimal => formatFixed(Math.min(open, units(left[side], scale)), scale)
  return { up: most('up'), down: most('down') }
}

/** Whether a cap on running stakes or a used-up guard refuses the order, which no larger balance would change. */
export function isCapped(refusal: Refusal | undefined): boolean {
  return refusal === 'STAKES_OPEN_LIMIT' || refusal === 'STAKES_SIDE_LIMIT' || refusal === 'GUARD_LIMIT'
}

/** Guards that the exchange accepts now, and the chosen one. */
export function guardsOffered(form: Form, me: WireOptionMe | undefined): readonly Guard[] {
  return me?.isGuardSpent === true ? guards.filter((guard) => guard === '' || guard === form.guard) : guards
}

/** The first reason why no order can be placed at all, whatever the input. */
export type Gate = 'visitor' | 'closed' | 'region' | 'paused' | 'certify' | 'admit' | 'cooling-off'

export function gateOf(facts: {
  readonly isVisitor: boolean
  readonly isOpen: boolean
  readonly isPaused: boolean
  readonly isCertified: boolean
  readonly me: WireOptionMe | undefined
  readonly nowMs: number
}): Gate | undefined {
  if (!facts.isOpen) return 'closed'
  if (facts.me?.isOpenInRegion === false) return 'region'
  if (facts.isPaused) return 'paused'
  if (facts.isVisitor) return 'visitor'
  if (!facts.isCertified) return 'certify'
  if (facts.me !== undefined && !facts.me.isAdmitted) return 'admit'
  if ((facts.me?.coolOffUntil ?? 0) > facts.nowMs) return 'cooling-off'
  return undefined
}

export function requestOf(form: Form, symbol: string, direction: 'up' | 'down', clientId: string): WireOpenOption {
  return {
    clientId,
    symbol,
    direction,
    stake: form.stake.replace(/\.$/, ''),
    seconds: form.seconds,
    ...(form.guard === '' ? {} : { guard: form.guard }),
  }
}

/** The used part of the user's loss limit for today, with running stakes counted as lost; never below zero. For display only. */
export function usedOf(me: WireOptionMe): number {
  return Math.max(0, Number(me.lossToday) + Number(me.openStakes))
}

/** Suggested stakes: round sums from the smallest to the largest allowed. */
export function stakeChips(terms: WireOptionTerms): readonly Decimal[] {
  const [least, most] = [Number(terms.stakeMin), Number(terms.stakeMax)]
  return ['5', '10', '25', '50', '100', '250', '500', '1000'].filter((sum) => Number(sum) >= least && Number(sum) <= most).slice(0, 6)
}

/** Percent as parts per million: "84" is 840,000. */
function ppmOf(percent: Decimal): number {
  return parseUnits(percent, 4) ?? 0
}

function units(value: Decimal, scale: number): number {
  return parseUnits(value, scale) ?? 0
}

/** Rest before an order is placed again, so that no loss is chased with a tap. */
const repeatRestMs = 5_000

/** The moment from which an order may be placed again: a rest after it settled, and after the last order of this customer. */
export function repeatableAt({ settledAt, acceptedAt }: Pick<WireOption, 'settledAt' | 'acceptedAt'>, lastAcceptedAt: number): number {
  return Math.max(settledAt ?? acceptedAt, lastAcceptedAt) + repeatRestMs
}
