import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { useFaucet } from '../../app/account.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { toast, toastProblem } from '../ui/toast.tsx'
import { Coin } from './coin.tsx'
import { FaucetAllButton } from './faucet-all-button.tsx'

/** Practice funds, coin by coin, in a sandbox. Elsewhere the list is empty and nothing opens this sheet. */
export function FaucetSheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const portions = useConfig().data?.faucet ?? []
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('home.faucet')} footer={<FaucetAllButton onDone={onClose} />}>
      <p className="pb-2 text-13 text-fg2">{t('home.faucetHint')}</p>
      <ul className="flex flex-col">
        {portions.map((portion) => (
          <Portion key={portion.asset} portion={portion} />
        ))}
      </ul>
    </Sheet>
  )
}

function Portion({ portion: { asset, amount, dailyMax } }: { readonly portion: WireConfig['faucet'][number] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const faucet = useFaucet(
    () => toast({ text: t('home.faucetGot', { amount: format.sum(amount, asset), asset }), tone: 'good' }),
    (error) => toastProblem(error, t),
  )
  return (
    <li className="flex min-h-15 items-center gap-3 border-b border-line last:border-0">
      <Coin asset={asset} />
      <span className="min-w-0 flex-1">
        <span className="tn block text-15 font-medium">
          {format.sum(amount, asset)} {asset}
        </span>
        <span className="tn block text-12 text-fg3">{t('home.faucetDaily', { amount: format.sum(dailyMax, asset), asset })}</span>
      </span>
      <Button
        variant="soft"
        size="small"
        isBusy={faucet.isSending}
        onClick={() => faucet.send(asset)}
        aria-label={t('home.faucetGetNamed', { asset })}
      >
        {t('home.faucetGet')}
      </Button>
    </li>
  )
}
