import type { Decimal } from '@candor/core/money/brand.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/state.tsx'
import type { OwnLine } from './line.ts'
import type { Moving } from './use-move.ts'

type Props = { readonly line: OwnLine; readonly price: Decimal }

/** Where the held line is, and what it would bring there. It stays clear of the finger. */
export function MoveTip({ line, price }: Props) {
  return (
    <div style={{ top: 'var(--tip)', left: 6 }} className="absolute z-20 rounded-chip bg-s3 px-2.5 py-1.5 text-11 text-fg">
      <Says line={line} price={price} />
    </div>
  )
}

/** Asks before the line is moved. It covers the half of the plot in which the line isn't. */
export function ConfirmMove({ line, price, isSending, moving }: Props & { readonly isSending: boolean; readonly moving: Moving }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <div
      role="group"
      aria-label={line.name}
      style={{ top: 'var(--ask-top)', bottom: 'var(--ask-bottom)', left: 6, right: 6, maxWidth: 384 }}
      className="pointer-events-auto absolute z-20 flex flex-col gap-2 rounded-control bg-s3 px-2.5 py-2 text-12"
    >
      <div role="status">
        <Says line={line} price={price} />
      </div>
      <FormError error={moving.error} />
      <div className="flex gap-2">
        <Button
          size="small"
          className="min-h-11 flex-1"
          isBusy={isSending}
          disabled={line.move?.faultAt?.(price) !== undefined}
          onClick={moving.confirm}
        >
          {t('chart.own.changeTo', { price: format.exact(price) })}
        </Button>
        <Button variant="soft" size="small" className="min-h-11" disabled={isSending} onClick={moving.cancel}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  )
}

function Says({ line, price }: Props) {
  const format = useFormats()
  const fault = line.move?.faultAt?.(price)
  const warning = line.move?.warningAt(price)
  return (
    <>
      <p className="tn font-medium">
        {line.name} {format.exact(line.price)} <span aria-hidden>→</span> {format.exact(price)}
      </p>
      <p className="tn">{line.move?.outcomeAt(price)}</p>
      {fault !== undefined && <p className="text-down">{fault}</p>}
      {fault === undefined && warning !== undefined && <p className="text-warn">{warning}</p>}
    </>
  )
}
