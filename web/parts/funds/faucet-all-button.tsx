import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { toast, toastProblem } from '../ui/toast.tsx'
import { useFaucetAll } from './faucet-all.ts'

/** A button for a portion of every practice coin that is due. Its text is of the area `first`. */
export function FaucetAllButton({ onDone }: { readonly onDone?: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const portions = useConfig().data?.faucet ?? []
  const faucet = useFaucetAll(
    portions,
    (given) => {
      const amounts = given.map(({ amount, asset }) => `${format.number(amount)} ${asset}`).join(' · ')
      toast({ text: t('first.practiceDone'), detail: amounts, tone: 'good' })
      onDone?.()
    },
    (error) => toastProblem(error, t),
  )
  return (
    <Button isWide isBusy={faucet.isSending} onClick={() => faucet.send('all')}>
      {t('first.practice')}
    </Button>
  )
}
