/** The exits of a position: orders that wait for a price at which they close the position or a part of it. */
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'

export const exitKinds = ['takeProfit', 'stopLoss'] as const
export type ExitKind = (typeof exitKinds)[number]

/** `trigger`: its price. `isWhole`: it closes whatever the position is when it acts; the others close a quantity. */
export type Exit = {
  readonly order: WireOrder
  readonly kind: ExitKind
  readonly trigger: string
  readonly isWhole: boolean
}

/** The exits of a position that wait for their price: take profits first, of each kind the one that is reached first in front. */
export function exitsFor(position: WirePosition, orders: readonly WireOrder[]): readonly Exit[] {
  const found = orders.flatMap((order): readonly Exit[] => {
    const { perp, trigger, side, status, symbol } = order
    const isOwn = symbol === position.symbol && perp?.position === position.position && side !== position.side && status === 'pending'
    if (!isOwn || trigger?.kind !== 'stop' || (!perp.closing && !perp.reduceOnly)) return []
    const isProfit = (position.side === 'buy') === (trigger.direction === 'rises-to')
    return [{ order, kind: isProfit ? 'takeProfit' : 'stopLoss', trigger: trigger.price, isWhole: perp.closing }]
  })
  const nearest = ({ order, trigger }: Exit): number => Number(trigger) * (order.trigger?.direction === 'rises-to' ? 1 : -1)
  return found.sort((a, b) => exitKinds.indexOf(a.kind) - exitKinds.indexOf(b.kind) || nearest(a) - nearest(b))
}
