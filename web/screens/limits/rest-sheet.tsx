import type { WireNewRest } from '@candor/core/protocol/wire/own-limits.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { withProof } from '../../parts/account/proof.ts'
import { limits, putLimits } from '../../parts/limits/limits.ts'
import { Check } from '../../parts/fields/field.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { Chip } from '../../parts/ui/tabs.tsx'
import { toast } from '../../parts/ui/toast.tsx'

const days = [1, 3, 7, 14, 28, 42] as const
const months = [6, 12, 24, 60] as const
type Cause = WireNewRest['cause']

/** Begins a break or a self-exclusion, of a length that the customer chooses: none is preselected. */
export function RestSheet({ cause, onClose }: { readonly cause: Cause; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const isExclusion = cause === 'self-exclusion'
  const [length, setLength] = useState<number>()
  const [isSure, setIsSure] = useState(false)
  const start = useMutation({
    mutationFn: (chosen: number) =>
      withProof(() => limits.rest(isExclusion ? { cause: 'self-exclusion', months: chosen } : { cause: 'cool-off', hours: chosen * 24 })),
    onSuccess(own) {
      putLimits(own)
      toast({ text: t('limits.started'), tone: 'good' })
      onClose()
      // What holds now stands above everything else.
      scrollTo(0, 0)
    },
  })
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={isExclusion ? t('limits.exclusion') : t('limits.coolOff')}
      footer={
        <div className="flex flex-col gap-3">
          <Check isOn={isSure} onChange={setIsSure}>
            {t('limits.sure')}
          </Check>
          <FormError error={start.error} />
          <Button
            isWide
            isBusy={start.isPending}
            disabled={!isSure || length === undefined}
            onClick={() => length !== undefined && start.mutate(length)}
          >
            {t('limits.start')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4 pb-2 text-13 text-fg2">
        {isExclusion && <p>{t('limits.exclusionLong')}</p>}
        <p>{t('limits.coolOffLong')}</p>
        <div className="flex flex-wrap gap-2">
          {(isExclusion ? months : days).map((count) => (
            <Chip key={count} isOn={length === count} onClick={() => setLength(count)}>
              {isExclusion ? t('limits.months', { count }) : t('limits.days', { count })}
            </Chip>
          ))}
        </div>
        <p>{t('limits.stays')}</p>
      </div>
    </Sheet>
  )
}
