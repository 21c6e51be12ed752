import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import type { WireFirm, WireFirmAccount, WireFirmBalances } from '@candor/core/protocol/wire/firm/firm.ts'
import { ArrowUpDown } from 'lucide-react'
import { useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { PlainSelect } from '../../parts/fields/plain-select.tsx'
import { firms } from '../../parts/firm/data.ts'
import { AmountField, plain, unitsOf } from '../../parts/margin/amount-field.tsx'
import { Button, IconButton } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

type Props = {
  readonly firm: WireFirm
  readonly accounts: readonly WireFirmAccount[]
  readonly balances: WireFirmBalances | undefined
  readonly onClose: () => void
}
type Asked = { readonly from: string; readonly to: string; readonly asset: string; readonly amount: string }

/** Moves coins between two accounts of the firm. */
export function MoveSheet({ firm, accounts, balances, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const assets = useConfig().data?.assets ?? []
  const [[from, to], setWay] = useState<readonly [string, string]>([accounts[0]!.id, accounts[1]!.id])
  const [asset, setAsset] = useState('USDT')
  const [amount, setAmount] = useState('')
  const scale = scaleOf(assets, asset)
  const units = unitsOf(amount, scale)
  const coins = balances?.accounts.find(({ id }) => id === from)?.accounts.find(({ kind }) => kind === 'spot')?.balances ?? []
  const available = coins.find((coin) => coin.asset === asset)?.available ?? '0'
  const isTooMuch = units !== undefined && units > (parseUnits(available, scale) ?? 0)
  const move = useSendOnce({
    request: (clientId, asked: Asked) => ({ clientId, ...asked }),
    call: (request) => firms.move(firm.id, request),
    onAnswer: () => {
      toast({ text: t('firm.moved', { amount: `${format.sum(plain(amount), asset, true)} ${asset}` }), tone: 'good' })
      onClose()
    },
  })
  const choices = accounts.map(({ id, label }) => ({ value: id, label }))
  const held = coins.filter((coin) => Number(coin.available) > 0).map((coin) => coin.asset)
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('firm.move')}
      footer={
        <Button
          isWide
          disabled={units === undefined || isTooMuch || from === to}
          isBusy={move.isSending}
          onClick={() => units !== undefined && move.send({ from, to, asset, amount: formatUnits(units, scale) })}
        >
          {t('firm.moveNow')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="relative flex flex-col gap-2">
          <PlainSelect label={t('firm.from')} value={from} choices={choices} onChange={(next) => setWay([next, next === to ? from : to])} />
          <PlainSelect label={t('firm.to')} value={to} choices={choices} onChange={(next) => setWay([next === from ? to : from, next])} />
          <span className="absolute start-1/2 top-1/2 -translate-x-1/2 -translate-y-1/2 rounded-full bg-s1">
            <IconButton label={t('firm.swap')} onClick={() => setWay([to, from])}>
              <ArrowUpDown size={18} strokeWidth={1.75} aria-hidden />
            </IconButton>
          </span>
        </div>
        <PlainSelect
          label={t('firm.coin')}
          value={asset}
          choices={[...new Set(['USDT', ...held])].map((value) => ({ value, label: value }))}
          onChange={(next) => {
            setAsset(next)
            setAmount('')
          }}
        />
        <AmountField
          asset={asset}
          scale={scale}
          value={amount}
          most={available}
          mostLabel={t('firm.available')}
          error={isTooMuch ? t('refusals.INSUFFICIENT_BALANCE') : undefined}
          onChange={setAmount}
        />
        <p className="text-12 text-fg2">{t('firm.moveHint')}</p>
        <FormError error={move.error} />
      </div>
    </Sheet>
  )
}
