import type { WireLoanBalance } from '@candor/core/protocol/wire/margin.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Check } from '../../parts/fields/field.tsx'
import type { TicketState } from '../../parts/spot/use-ticket.ts'
import type { Choice } from './choice.ts'
import { borrows } from './loan.ts'

/** In the ticket: options to borrow and repay automatically, with the resulting sums. `balance`: that of the paid coin. */
export function LoanOptions({
  ticket,
  choice,
  balance,
  scale,
  onTransfer,
}: {
  readonly ticket: TicketState
  readonly choice: Choice
  readonly balance: WireLoanBalance | undefined
  readonly scale: number
  readonly onTransfer: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { summary } = ticket
  const loan = borrows(summary.hold, balance, scale)
  const isLoan = Number(loan) > 0
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-2">
      <Check isOn={choice.borrows} onChange={(isOn) => choice.set({ borrows: isOn })}>
        {t('margin.autoBorrow')}
      </Check>
      {choice.borrows && summary.hold !== undefined && balance !== undefined && (
        <p role="status" className={`text-12 ${isLoan ? 'text-fg' : 'text-fg3'}`}>
          {isLoan
            ? t('margin.borrowsLine', {
                amount: `${format.sum(loan, summary.costAsset)} ${summary.costAsset}`,
                rate: format.percent(balance.hourlyRate, 4),
              })
            : t('margin.borrowsNothing')}
        </p>
      )}
      <Check isOn={choice.repays} onChange={(isOn) => choice.set({ repays: isOn })}>
        {t('margin.autoRepay')}
      </Check>
      {choice.repays && <p className="text-11 text-fg3">{t('margin.repaysLine', { asset: summary.feeAsset })}</p>}
      {balance !== undefined && !ticket.isEmpty && Number(balance.available) === 0 && (
        <button type="button" onClick={onTransfer} className="min-h-8 self-start text-12 font-medium text-brand">
          {t('margin.transferCoin', { asset: summary.costAsset })}
        </button>
      )}
    </div>
  )
}
