/** A new exit as a person enters it, and what it would bring. */
import type { Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import { formatLots, parseLots, parseTicks } from '@candor/core/money/price.ts'
import { shareOf } from '@candor/core/risk/perp.ts'
import type { TriggerPrice } from '@candor/core/protocol/command/perp.ts'
import type { WirePlacePerp, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Held } from '../risk.ts'
import type { Exit, ExitKind } from './list.ts'

/** The most exits that a position can have. */
export const exitsMax = 10

/** Take profit and stop loss at the market for the whole position. */
export function wholeOf(exits: readonly Exit[]): Readonly<Record<ExitKind, WireOrder | undefined>> {
  const find = (kind: ExitKind): WireOrder | undefined =>
    exits.find((exit) => exit.kind === kind && exit.isWhole && exit.order.type === 'market')?.order
  return { takeProfit: find('takeProfit'), stopLoss: find('stopLoss') }
}

/** What a person enters for a new exit. `part`: percent of the position; `whole` follows the position, '' is a quantity of its own. */
export type Draft = {
  readonly kind: ExitKind
  readonly trigger: string
  readonly by: TriggerPrice
  readonly part: '25' | '50' | '75' | 'whole' | ''
  readonly quantity: string
  readonly type: 'market' | 'limit'
  readonly price: string
}

/** The quantity of a part of the position, at least one lot; the whole is the whole. */
export function quantityOf(held: Held, part: Draft['part'], lot: string): string {
  const size = Math.abs(held.lots)
  return formatLots(part === 'whole' ? size : Math.max(1, mulDivFloor(size, Number(part), 100)), lot)
}

/** Why a trigger can't be used: it has to lie beyond the price that it follows. `now`: that price, undefined while it is unknown. */
export function wrongTrigger(
  isLong: boolean,
  kind: ExitKind,
  trigger: Ticks | undefined,
  now: Ticks | undefined,
): TriggerFault | undefined {
  if (trigger === undefined) return 'invalid'
  const rises = isLong === (kind === 'takeProfit')
  if (now === undefined || (rises ? trigger > now : trigger < now)) return undefined
  return rises ? 'tooLow' : 'tooHigh'
}

export type TriggerFault = 'invalid' | 'tooLow' | 'tooHigh'

/** Whether a draft can be sent: every field that it needs has a value of the market. */
export function isComplete(draft: Draft, market: { readonly tick: string; readonly lot: string }): boolean {
  const isSized = draft.part === 'whole' || (parseLots(draft.quantity, market.lot) ?? 0) > 0
  return isSized && (draft.type === 'market' || parseTicks(draft.price, market.tick) !== undefined)
}

/** The order of a draft. In hedge mode it names its position; the others may only reduce. */
export function orderOf(position: WirePosition, isHedge: boolean, draft: Draft, clientId: string): WirePlacePerp {
  const isLong = position.side === 'buy'
  return {
    clientId,
    symbol: position.symbol,
    side: isLong ? 'sell' : 'buy',
    ...(isHedge ? { position: position.position } : {}),
    type: draft.type,
    ...(draft.type === 'limit' ? { price: draft.price } : {}),
    ...(draft.part === 'whole' ? { closing: true } : { reduceOnly: true, quantity: draft.quantity }),
    trigger: { kind: 'stop', price: draft.trigger, direction: isLong === (draft.kind === 'takeProfit') ? 'rises-to' : 'falls-to' },
    triggerBy: draft.by,
  }
}

/** Profit (+) or loss (−) of closing `lots` of a position at a price, before fees, in quote units. No more than the position closes. */
export function resultAt(held: Held, lots: number, price: Ticks, perTickLot: number): Units {
  const size = Math.abs(held.lots)
  const closed = Math.min(size, lots)
  const cost = shareOf(held.cost as Units, closed as Lots, size as Lots)
  return (Math.sign(held.lots) * (price * closed * perTickLot - cost)) as Units
}
