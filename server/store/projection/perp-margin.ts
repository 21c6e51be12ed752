import type { Units } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { PositionChanged } from '@candor/core/protocol/event/perp.ts'

/**
 * Events that can follow a change of margin: orders that no longer fit are closed, and the position moves closer to or further
 * from its liquidation.
 */
const consequences: ReadonlySet<Event['type']> = new Set(['entry', 'order.closed', 'perp.level', 'outcome'])

/**
 * Margin that a user moved into an isolated position (above zero) or out of it; undefined when the events are of another command.
 * Such a command begins with the entry of its hold or release, and one position of unchanged size follows.
 */
export function marginChangeOf(events: readonly Event[]): { readonly position: PositionChanged; readonly amount: Units } | undefined {
  const [first] = events
  if (first?.type !== 'entry' || (first.reason !== 'hold' && first.reason !== 'release')) return undefined
  if (!('user' in first.account) || first.account.kind !== 'perp') return undefined
  let position: PositionChanged | undefined
  for (const event of events) {
    if (event.type === 'perp.position') {
      if (position !== undefined) return undefined
      position = event
    } else if (!consequences.has(event.type)) return undefined
  }
  return position?.mode === 'isolated' && position.lots !== 0 ? { position, amount: first.heldDelta } : undefined
}
