import { ShieldCheck } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { client, queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { tick } from '../../app/haptics.ts'
import { signedIn, useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'

/** Explains why verification is needed and how to get it: in practice mode by one tap. */
export function CertifySheet({ onClose, onCertified }: { readonly onClose: () => void; readonly onCertified?: (() => void) | undefined }) {
  const { t } = useTranslation()
  const isSandbox = useConfig().data?.mode === 'sandbox'
  const isInProgress = useMe()?.certification === 'in-progress'
  const certify = useMutation({
    mutationFn: () => client.user.certify(),
    onSuccess: (me) => {
      signedIn(me)
      void queries.invalidateQueries({ queryKey: ['own'] })
      tick(12)
      toast({ text: t('certify.done'), tone: 'good' })
      onClose()
      onCertified?.()
    },
  })
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('certify.title')}
      footer={
        isSandbox ? (
          <Button isWide isBusy={certify.isPending} onClick={() => certify.mutate()}>
            {t('certify.certify')}
          </Button>
        ) : (
          <ButtonLink to="/spot" variant="soft" isWide>
            {t('certify.toSpot')}
          </ButtonLink>
        )
      }
    >
      <div className="flex flex-col items-center gap-3 pt-1 pb-2 text-center">
        <span aria-hidden className="flex size-14 items-center justify-center rounded-full bg-brandtint text-brand">
          <ShieldCheck size={28} strokeWidth={1.75} />
        </span>
        <p className="text-15">{t('certify.why')}</p>
        <p className="text-13 text-fg2">
          {isSandbox ? t('certify.sandbox') : isInProgress ? t('certify.inProgress') : t('certify.closed')}
        </p>
        <FormError error={certify.error} />
      </div>
    </Sheet>
  )
}
