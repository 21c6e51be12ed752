import { useMutation } from '@tanstack/react-query'
import { queries } from '../../app/client.ts'
import { useTranslation } from '../../app/translate.ts'
import { limits, limitsQuery } from '../../parts/limits/limits.ts'
import { ChoiceRow } from '../../parts/ui/row.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'

const choices = [15, 20, 30, 45, 60] as const

/** How often the app shows time and result. */
export function CheckEverySheet({ present, onClose }: { readonly present: number; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const choose = useMutation({
    mutationFn: (minutes: number) => limits.setCheckEvery({ minutes }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: limitsQuery })
      onClose()
    },
  })
  return (
    <Sheet isOpen onClose={onClose} title={t('limits.check')}>
      <FormError error={choose.error} />
      <div role="radiogroup" aria-label={t('limits.check')} className="flex flex-col gap-1 pb-2">
        {choices.map((count) => (
          <ChoiceRow
            key={count}
            isOn={present === count}
            onClick={() => choose.mutate(count)}
            title={<span className="tn">{t('limits.every', { value: count })}</span>}
          />
        ))}
      </div>
    </Sheet>
  )
}
