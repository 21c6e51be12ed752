import { ShieldCheck } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { client, queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { tick } from '../../app/haptics.ts'
import { signedIn, useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { riskyProducts } from '../limits/limits.ts'
import { LossLines } from '../limits/loss-line.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'

/** Explains why verification is needed and leads to the identity check. In practice mode one tap is enough. */
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
        <div className="flex flex-col gap-2">
          {isSandbox && (
            <Button isWide isBusy={certify.isPending} onClick={() => certify.mutate()}>
              {t('certify.certify')}
            </Button>
          )}
          <ButtonLink to="/kyc" variant={isSandbox ? 'soft' : 'primary'} isWide>
            {isInProgress ? t('certify.see') : t('certify.document')}
          </ButtonLink>
        </div>
      }
    >
      <div className="flex flex-col items-center gap-3 pt-1 pb-2 text-center">
        <span aria-hidden className="flex size-14 items-center justify-center rounded-full bg-brandtint text-brand">
          <ShieldCheck size={28} strokeWidth={1.75} />
        </span>
        <p className="text-15">{t('certify.why')}</p>
        <p className="text-13 text-fg2">{isSandbox ? t('certify.sandbox') : isInProgress ? t('certify.inProgress') : t('certify.how')}</p>
        <LossLines products={riskyProducts} />
        <FormError error={certify.error} />
      </div>
    </Sheet>
  )
}
