import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'
import { useMutation } from '@tanstack/react-query'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { regain } from '../../parts/access/regain.ts'
import { refreshProtection } from '../../parts/account/safety.ts'
import { ConfirmSheet } from '../../parts/ui/sheet.tsx'
import { toast } from '../../parts/ui/toast.tsx'

type Props = { readonly isOpen: boolean; readonly own: WireSafety; readonly onClose: () => void }

/** Somebody asks for access without the second factors: what that means, and a button that ends it without a proof. */
export function RegainSheet({ isOpen, own, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const stop = useMutation({
    mutationFn: () => regain.stop(),
    onSuccess() {
      toast({ text: t('safety.regainStopped'), tone: 'good' })
      onClose()
    },
    // Also when it was over by then.
    onSettled: () => void refreshProtection(),
  })
  if (own.regain === null) return null
  const { createdAt, dueAt } = own.regain
  return (
    <ConfirmSheet
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => stop.mutate()}
      isBusy={stop.isPending}
      title={t('safety.regainTitle')}
      confirm={t('safety.regainStop')}
      tone="danger"
      note={
        <div className="flex flex-col gap-2 text-13">
          <p>{t('safety.regainAsked', { time: format.dateTime(createdAt) })}</p>
          <p>{dueAt === null ? t('safety.regainReview') : t('safety.regainDue', { time: format.dateTime(dueAt) })}</p>
          <p>{t('safety.regainNote')}</p>
        </div>
      }
      error={stop.error}
    />
  )
}
