import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useTicketKeys } from '../../parts/shortcuts/use-ticket-keys.ts'
import { toast } from '../../parts/ui/toast.tsx'
import type { TicketState } from './use-ticket.ts'

/** The ticket's keys. It has a button for each side, so the side of the Enter key is chosen before by its letter, and shown. */
export function TicketKeys({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const [side, setSide] = useState<Side>()
  useTicketKeys({
    isOpen: !ticket.isVisitor && !ticket.isEmpty && ticket.context.market.isTrading,
    side: setSide,
    preview() {
      if (side === undefined) toast({ text: t('shortcuts.sideFirst') })
      else ticket.press(side, true)
    },
    confirm: ticket.confirming !== undefined && ticket.isSending === undefined ? ticket.confirm : undefined,
  })
  if (side === undefined) return null
  return (
    <p role="status" className={`text-12 font-medium ${side === 'buy' ? 'text-up' : 'text-down'}`}>
      {t(`shortcuts.enter.${side}`)}
    </p>
  )
}
