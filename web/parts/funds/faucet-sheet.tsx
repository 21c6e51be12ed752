import { useTranslation } from '../../app/translate.ts'
import { useFaucet } from '../../app/account.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { problemOf } from '../../app/problem.ts'
import { Button } from '../ui/button.tsx'
import { Coin } from './coin.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { toast } from '../ui/toast.tsx'

/** Practice money, coin by coin. Sandboxes only: elsewhere the list is empty and nothing opens this. */
export function FaucetSheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const portions = useConfig().data?.faucet ?? []
  const faucet = useFaucet()
  const get = (asset: string, amount: string): void =>
    faucet.mutate(asset, {
      onSuccess: () => {
        tick(12)
        toast({ text: t('home.faucetGot', { amount: format.number(amount), asset }), tone: 'good' })
      },
      onError: (error) => void toast({ text: problemOf(error, t).text, tone: 'bad' }),
    })
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('home.faucet')}>
      <p className="pb-2 text-13 text-fg2">{t('home.faucetHint')}</p>
      <ul className="flex flex-col">
        {portions.map(({ asset, amount, dailyMax }) => (
          <li key={asset} className="flex min-h-15 items-center gap-3 border-b border-line last:border-0">
            <Coin asset={asset} />
            <span className="min-w-0 flex-1">
              <span className="tn block text-15 font-medium">
                {format.number(amount)} {asset}
              </span>
              <span className="tn block text-12 text-fg3">{t('home.faucetDaily', { amount: format.number(dailyMax), asset })}</span>
            </span>
            <Button
              variant="soft"
              size="small"
              isBusy={faucet.isPending && faucet.variables === asset}
              onClick={() => get(asset, amount)}
              aria-label={t('home.faucetGetNamed', { asset })}
            >
              {t('home.faucetGet')}
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
