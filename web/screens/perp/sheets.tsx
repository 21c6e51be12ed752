import { Suspense } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { KindSheet } from '../../parts/desk/kind.tsx'
import { TransferSheet } from '../../parts/transfer/lazy-sheet.ts'
import { ConfirmOrder } from './confirm-order.tsx'
import { orderKinds } from './form.ts'
import type { TicketState } from './use-ticket.ts'
import { laterSheet } from '../../parts/ui/later.tsx'

const settings = () => import('./setting-sheets.tsx')
const LeverageSheet = laterSheet(() => settings().then((module) => module.LeverageSheet))
const ModeSheet = laterSheet(() => settings().then((module) => module.ModeSheet))
const HedgeSheet = laterSheet(() => settings().then((module) => module.HedgeSheet))

export type SheetName = 'kind' | 'mode' | 'leverage' | 'hedge' | 'transfer'

/** The sheets opened by the ticket. Settings and transfer are loaded when they are first opened. */
export function PerpSheets({
  ticket,
  sheet,
  onClose,
}: {
  readonly ticket: TicketState
  readonly sheet: SheetName | undefined
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const { context } = ticket
  const { market } = context
  return (
    <>
      <KindSheet
        isOpen={sheet === 'kind'}
        kind={ticket.form.kind}
        kinds={orderKinds}
        detail={(kind) => t(kind === 'limit' || kind === 'market' ? `orders.kindHint.${kind}` : `positions.kindHint.${kind}`)}
        onClose={onClose}
        onChoose={(kind) => ticket.act({ type: 'kind', kind })}
      />
      <ConfirmOrder ticket={ticket} />
      <Suspense fallback={null}>
        {sheet === 'leverage' && <LeverageSheet context={context} onClose={onClose} />}
        {sheet === 'mode' && <ModeSheet context={context} onClose={onClose} />}
        {sheet === 'hedge' && <HedgeSheet context={context} onClose={onClose} />}
        {sheet === 'transfer' && (
          <TransferSheet start={{ from: 'spot', to: 'perp', asset: market.quote, symbol: market.symbol }} onClose={onClose} />
        )}
      </Suspense>
    </>
  )
}
