import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { useTranslation } from '../../app/translate.ts'
import { Sheet } from '../sheet.tsx'
import type { Move } from './places.ts'
import { TransferForm } from './transfer-form.tsx'

/** Moves money without leaving the desk. */
export function TransferSheet({
  config,
  start,
  onClose,
}: {
  readonly config: WireConfig
  readonly start: Move
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <TransferForm
      config={config}
      start={start}
      onDone={onClose}
      layout={({ body, button }) => (
        <Sheet isOpen onClose={onClose} title={t('margin.move.title')} footer={button}>
          {body}
        </Sheet>
      )}
    />
  )
}
