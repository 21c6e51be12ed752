import { set, useSettings } from '../app/settings.ts'
import { useTranslation } from '../app/translate.ts'
import { UpDownChoice } from '../parts/fields/up-down-choice.tsx'
import { Button } from '../parts/ui/button.tsx'
import { Sheet } from '../parts/ui/sheet.tsx'

/** Asks which colour means rising. Closed without a choice, it is green. */
export function ColoursSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const end = (): void => {
    if (useSettings.getState().updown === undefined) set({ updown: 'green' })
    onClose()
  }
  return (
    <Sheet
      isOpen
      onClose={end}
      title={t('setting.colours')}
      footer={
        <Button isWide onClick={end}>
          {t('common.done')}
        </Button>
      }
    >
      <UpDownChoice />
    </Sheet>
  )
}
