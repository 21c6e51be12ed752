import { useMutation } from '@tanstack/react-query'
import { navigate } from '../../app/location.ts'
import { signedOut } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { safety } from '../../parts/account/safety.ts'
import { ConfirmSheet } from '../../parts/ui/sheet.tsx'

/** Freezes the account after one confirmation, without a proof: speed counts more here. */
export function FreezeSheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const freeze = useMutation({
    mutationFn: () => safety.freeze(),
    onSuccess: () => {
      signedOut()
      navigate('/freeze?done=1', { replace: true })
    },
  })
  return (
    <ConfirmSheet
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => freeze.mutate()}
      isBusy={freeze.isPending}
      title={t('safety.freezeAsk')}
      confirm={t('safety.freezeNow')}
      tone="danger"
      note={t('safety.freezeNote')}
      error={freeze.error}
    />
  )
}
