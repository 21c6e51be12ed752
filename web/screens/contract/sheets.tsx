import { lazy, Suspense } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { ChoiceRow } from '../../parts/row.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { TransferSheet } from '../../parts/transfer-sheet.ts'
import { ConfirmOrder } from './confirm-order.tsx'
import { orderKinds } from './form.ts'
import type { TicketState } from './use-ticket.ts'

const settings = () => import('./setting-sheets.tsx')
const LeverageSheet = lazy(() => settings().then((module) => ({ default: module.LeverageSheet })))
const ModeSheet = lazy(() => settings().then((module) => ({ default: module.ModeSheet })))
const HedgeSheet = lazy(() => settings().then((module) => ({ default: module.HedgeSheet })))

export type SheetName = 'kind' | 'mode' | 'leverage' | 'hedge' | 'transfer'

/** Everything that the ticket opens over the desk. Settings and transfer come when they are first opened. */
export function ContractSheets({
  ticket,
  sheet,
  onClose,
}: {
  readonly ticket: TicketState
  readonly sheet: SheetName | undefined
  readonly onClose: () => void
}) {
  const { context } = ticket
  const { market } = context
  return (
    <>
      <KindSheet ticket={ticket} isOpen={sheet === 'kind'} onClose={onClose} />
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

/** Kinds of orders, each with one line of what it does. */
function KindSheet({ ticket, isOpen, onClose }: { readonly ticket: TicketState; readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('trade.orderType')}>
      <div role="radiogroup" aria-label={t('trade.orderType')} className="-mx-2">
        {orderKinds.map((kind) => (
          <ChoiceRow
            key={kind}
            isOn={kind === ticket.form.kind}
            title={t(`trade.kind.${kind}`)}
            detail={kind === 'limit' || kind === 'market' ? t(`trade.kindHint.${kind}`) : t(`perp.kindHint.${kind}`)}
            onClick={() => {
              ticket.act({ type: 'kind', kind })
              onClose()
            }}
          />
        ))}
      </div>
    </Sheet>
  )
}
