import { Suspense } from 'react'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { KindSheet } from '../../parts/algo/kind-sheet.tsx'
import { TransferSheet } from '../../parts/transfer/lazy-sheet.ts'
import { ConfirmOrder } from './confirm-order.tsx'
import { orderKinds } from './form.ts'
import { TicketKeys } from './keys.tsx'
import type { TicketState } from './use-ticket.ts'
import { later, laterSheet } from '../../parts/ui/later.tsx'

const settings = () => import('./setting-sheets.tsx')
const LeverageSheet = laterSheet(() => settings().then((module) => module.LeverageSheet))
const ModeSheet = laterSheet(() => settings().then((module) => module.ModeSheet))
const HedgeSheet = laterSheet(() => settings().then((module) => module.HedgeSheet))

/** Below the buttons in a wide window. */
const SentNow = later(() => Promise.all([import('./sent-now.tsx'), loadArea('orders')]).then(([module]) => module.SentNow))

export type SheetName = 'kind' | 'mode' | 'leverage' | 'hedge' | 'transfer'

/** In a wide window, what the ticket's orders would do; and the sheets opened by the ticket. Settings and transfer are loaded when they are first opened. */
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
      <Suspense fallback={null}>{useIsWide() && <SentNow ticket={ticket} />}</Suspense>
      <TicketKeys ticket={ticket} />
      <KindSheet
        isOpen={sheet === 'kind'}
        kind={ticket.form.kind}
        kinds={orderKinds}
        detail={(kind) => t(kind === 'limit' || kind === 'market' ? `orders.kindHint.${kind}` : `positions.kindHint.${kind}`)}
        onClose={onClose}
        onChoose={(kind) => ticket.act({ type: 'kind', kind })}
        desk={{ market, price: context.last, isHedge: context.isHedge }}
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
