import { useTranslation } from '../../app/translate.ts'
import { useFaucet } from '../../app/account.ts'
import { problemOf } from '../../app/problem.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'

/** Practice money of one asset, in the sandbox. */
export function FaucetButton({ asset }: { readonly asset: string }) {
  const { t } = useTranslation()
  const faucet = useFaucet()
  return (
    <Button
      variant="soft"
      size="medium"
      className="flex-1"
      isBusy={faucet.isPending}
      onClick={() =>
        faucet.mutate(asset, {
          onSuccess: () => toast({ text: t('trade.faucetDone', { asset }), tone: 'good' }),
          onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
        })
      }
    >
      {t('trade.faucet', { asset })}
    </Button>
  )
}
