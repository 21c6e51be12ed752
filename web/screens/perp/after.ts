import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { Context, Form } from './form.ts'
import { effectOf } from './sizing.ts'

/** Lots of the position after an order of a side has filled: above zero for a long. In hedge mode, of the position that it changes. */
export function lotsAfter(form: Form, side: Side, lots: number, context: Context): number {
  const { reducing, opening } = effectOf(form, side, lots, context)
  const sign = side === 'buy' ? 1 : -1
  const [long, short] = [context.long?.lots ?? 0, context.short?.lots ?? 0]
  if (!context.isHedge) return long + short + sign * (reducing + opening)
  const isLong = (form.intent === 'open') === (side === 'buy')
  return (isLong ? long : short) + sign * (reducing + opening)
}
