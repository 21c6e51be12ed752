import { useFaucet } from '../../app/account.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { toast, toastProblem } from '../ui/toast.tsx'

/** A button for practice funds of one asset, in a sandbox. */
export function FaucetButton({ asset }: { readonly asset: string }) {
  const { t } = useTranslation()
  const faucet = useFaucet(
    () => toast({ text: t('assets.faucetDone', { asset }), tone: 'good' }),
    (error) => toastProblem(error, t),
  )
  return (
    <Button variant="soft" size="medium" className="flex-1" isBusy={faucet.isSending} onClick={() => faucet.send(asset)}>
      {t('assets.faucet', { asset })}
    </Button>
  )
}
