import { useTranslation } from '../../app/translate.ts'
import { ChoiceRow } from '../../parts/row.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { type OrderKind, orderKinds } from './form.ts'

/** Kinds of orders, each with one line of what it does. */
export function KindSheet({
  isOpen,
  kind,
  kinds = orderKinds,
  onClose,
  onChoose,
}: {
  readonly isOpen: boolean
  readonly kind: OrderKind
  readonly kinds?: readonly OrderKind[] | undefined
  readonly onClose: () => void
  readonly onChoose: (kind: OrderKind) => void
}) {
  const { t } = useTranslation()
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('trade.orderType')}>
      <div role="radiogroup" aria-label={t('trade.orderType')} className="-mx-2">
        {kinds.map((one) => (
          <ChoiceRow
            key={one}
            isOn={one === kind}
            title={t(`trade.kind.${one}`)}
            detail={t(`trade.kindHint.${one}`)}
            onClick={() => {
              onChoose(one)
              onClose()
            }}
          />
        ))}
      </div>
    </Sheet>
  )
}
