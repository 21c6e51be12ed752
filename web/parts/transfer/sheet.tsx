import { useConfig } from '../../app/config.ts'
import { useTranslation } from '../../app/translate.ts'
import { Sheet } from '../ui/sheet.tsx'
import { TransferForm } from './form.tsx'
import type { Move } from './places.ts'

/** The form in a sheet over the desk. The desk has already loaded the list of assets. */
export function TransferSheet({ start, onClose }: { readonly start: Move; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const config = useConfig().data
  if (config === undefined) return null
  return (
    <TransferForm
      config={config}
      start={start}
      onDone={onClose}
      layout={({ body, button }) => (
        <Sheet isOpen onClose={onClose} title={t('accounts.move.title')} footer={button}>
          {body}
        </Sheet>
      )}
    />
  )
}
