import type { Units } from '@candor/core/money/brand.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireLoanBalance, WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Button } from '../ui/button.tsx'
import { CeilingLine } from '../desk/ceiling.tsx'
import { usePriceOf } from '../funds/price-of.ts'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'
import { Empty, FormError } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { AmountField, plain, unitsOf } from './amount-field.tsx'
import { margin } from './api.ts'
import { offeredLeverage, poolKey, useMarginTerms } from './data.ts'
import { PlainSelect } from '../fields/plain-select.tsx'

type LoanSheetProps = {
  readonly account: WireMarginAccount
  readonly config: WireConfig
  /** The coin selected at first. */
  readonly asset: string
  readonly onClose: () => void
}

type Loan = { readonly asset: string; readonly amount: string }

/** Borrows a coin from the pool into a margin account. Shows the interest and the margin level after it. */
export function BorrowSheet({ account, config, asset: first, onClose }: LoanSheetProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const [asset, setAsset] = useState(first)
  const [amount, setAmount] = useState('')
  const balance = account.balances.find((one) => one.asset === asset)
  const scale = scaleOf(config.assets, asset)
  const units = unitsOf(amount, scale)
  const most = parseUnits(balance?.borrowable ?? '0', scale) ?? 0
  const text = `${format.sum(amount === '' ? '0' : plain(amount), asset, true)} ${asset}`
  const loan = useSendOnce({
    request: (clientId, asked: Loan) => ({ clientId, ...symbolOf(account), ...asked }),
    call: margin.borrow,
    alsoOld: poolKey,
    onAnswer() {
      toast({ text: t('loans.borrowedDone', { amount: text }), tone: 'good' })
      onClose()
    },
  })
  const level = useLevelAfter(account, asset, Number(amount))
  const rate = Number(balance?.hourlyRate ?? 0)
  const offered = offeredLeverage(useMarginTerms().data, account.kind === 'margin-cross' ? 'cross' : 'isolated')
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('loans.borrowTitle')}
      footer={
        <Button
          isWide
          disabled={units === undefined || units > most}
          isBusy={loan.isSending}
          onClick={() => loan.send({ asset, amount: plain(amount) })}
        >
          {units === undefined ? t('loans.borrowTitle') : t('loans.borrowNow', { amount: text })}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <CoinSelect
          balances={account.balances}
          value={asset}
          onChange={(next) => {
            setAsset(next)
            setAmount('')
          }}
        />
        <AmountField
          asset={asset}
          scale={scale}
          value={amount}
          most={balance?.borrowable}
          mostLabel={t('margin.borrowable')}
          error={units !== undefined && units > most ? t('refusals.BORROW_LIMIT') : undefined}
          onChange={setAmount}
        />
        <dl>
          <SummaryRow label={t('loans.hourlyRate')}>{format.percent(rate, 4)}</SummaryRow>
          <SummaryRow label={t('loans.yearly')}>{format.percent(rate * 8_760, 2)}</SummaryRow>
          <SummaryRow label={t('loans.firstHour')}>
            {units === undefined ? '–' : `${format.sum(((Number(amount) * rate) / 100).toFixed(scale), asset, true)} ${asset}`}
          </SummaryRow>
          <SummaryRow label={t('loans.levelAfter')}>
            {units === undefined || level === undefined ? '–' : format.number(level, 2, 2)}
          </SummaryRow>
        </dl>
        <CeilingLine ceiling={account.ceiling} most={offered ?? 1} />
        <p className="text-12 text-fg2">{t('loans.borrowHint')}</p>
        <FormError error={loan.error} />
      </div>
    </Sheet>
  )
}

/** Repays part or all of the debt in a coin. */
export function RepaySheet({ account, config, asset: first, onClose }: LoanSheetProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const owing = account.balances.filter((one) => Number(one.borrowed) + Number(one.interest) > 0)
  const [asset, setAsset] = useState(() => (owing.some((one) => one.asset === first) ? first : (owing[0]?.asset ?? first)))
  const [amount, setAmount] = useState('')
  const balance = owing.find((one) => one.asset === asset)
  const scale = scaleOf(config.assets, asset)
  const part = (text: string | undefined): number => parseUnits(text ?? '0', scale) ?? 0
  const owed = part(balance?.borrowed) + part(balance?.interest)
  const most = Math.min(owed, part(balance?.available))
  const units = unitsOf(amount, scale)
  const show = (value: number): string => `${format.sum(formatUnits(value as Units, scale), asset, true)} ${asset}`
  const loan = useSendOnce({
    // The full debt is sent as `all`, so that interest charged in the meantime is repaid too.
    request: (clientId, asked: Loan) => ({ clientId, ...symbolOf(account), ...asked, ...(units === most ? { amount: 'all' } : {}) }),
    call: margin.repay,
    alsoOld: poolKey,
    onAnswer() {
      toast({ text: t('loans.repaidDone', { amount: show(units ?? 0) }), tone: 'good' })
      onClose()
    },
  })
  if (balance === undefined) {
    return (
      <Sheet isOpen onClose={onClose} title={t('loans.repayTitle')}>
        <Empty text={t('loans.owesNothing')} />
      </Sheet>
    )
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('loans.repayTitle')}
      footer={
        <Button
          isWide
          disabled={units === undefined || units > most}
          isBusy={loan.isSending}
          onClick={() => loan.send({ asset, amount: plain(amount) })}
        >
          {units === undefined ? t('loans.repayTitle') : t('loans.repayNow', { amount: show(units) })}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <CoinSelect
          balances={owing}
          value={asset}
          onChange={(next) => {
            setAsset(next)
            setAmount('')
          }}
        />
        <AmountField
          asset={asset}
          scale={scale}
          value={amount}
          most={formatUnits(most as Units, scale)}
          mostLabel={t('margin.most')}
          error={
            units !== undefined && units > most
              ? t(units > owed ? 'refusals.AMOUNT_TOO_LARGE' : 'refusals.INSUFFICIENT_BALANCE')
              : undefined
          }
          onChange={setAmount}
        />
        <dl>
          <SummaryRow label={t('margin.borrowed')}>{show(part(balance.borrowed))}</SummaryRow>
          <SummaryRow label={t('margin.interest')}>{show(part(balance.interest))}</SummaryRow>
          <SummaryRow label={t('margin.available')}>{show(part(balance.available))}</SummaryRow>
          <SummaryRow label={t('loans.leftAfter')}>{units === undefined ? '–' : show(Math.max(0, owed - units))}</SummaryRow>
        </dl>
        <p className="text-12 text-fg2">{t('loans.repayHint')}</p>
        <FormError error={loan.error} />
      </div>
    </Sheet>
  )
}

function CoinSelect({
  balances,
  value,
  onChange,
}: {
  readonly balances: readonly WireLoanBalance[]
  readonly value: string
  readonly onChange: (asset: string) => void
}) {
  const { t } = useTranslation()
  return (
    <PlainSelect
      label={t('margin.coin')}
      value={value}
      choices={balances.map(({ asset }) => ({ value: asset, label: asset }))}
      onChange={onChange}
    />
  )
}

/** Margin level after borrowing `amount`, estimated at last prices. The exchange uses index prices. */
function useLevelAfter(account: WireMarginAccount, asset: string, amount: number): number | undefined {
  const price = usePriceOf()(asset)
  if (price === undefined || !(amount > 0)) return undefined
  const more = amount * price
  return (Number(account.assetsUsdt) + more) / (Number(account.debtUsdt) + more)
}

function symbolOf({ symbol }: WireMarginAccount): { readonly symbol?: string } {
  return symbol === undefined ? {} : { symbol }
}
