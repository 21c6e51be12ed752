import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useIsStale } from '../../app/quotes.ts'
import { focusFirstWrong } from '../fields/first-wrong.ts'
import { useDeskHandlers } from './registry.ts'

/**
 * Keys of a ticket. `preview` checks the order and asks for its confirmation, also where the user is not asked after a tap: two strokes
 * of Enter send an order, never one. `confirm`: while the ticket asks.
 */
export function useTicketKeys({
  isOpen,
  side,
  preview,
  confirm,
}: {
  /** Whether the ticket's buttons would send an order. */
  readonly isOpen: boolean
  readonly side: (side: Side) => void
  readonly preview: () => void
  readonly confirm: (() => void) | undefined
}): void {
  const isStale = useIsStale()
  useDeskHandlers({
    side(next) {
      side(next)
      // The fields may change with the side.
      requestAnimationFrame(() => {
        const field = ticket()?.querySelector<HTMLInputElement>('input[inputmode=decimal]:enabled')
        field?.focus()
        field?.select()
      })
    },
    preview() {
      if (!isOpen || isStale) return
      preview()
      focusFirstWrong(ticket())
    },
    ...(confirm === undefined ? {} : { confirm }),
  })
}

function ticket(): HTMLElement | null {
  return document.querySelector('[data-pane=ticket]')
}
