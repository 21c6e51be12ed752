import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { DirectionTag } from '../../parts/option/direction.tsx'
import { durationOf } from '../../parts/option/words.ts'
import { ConfirmSheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import type { Desk } from './use-desk.ts'

/** Shows the order before it is sent, because it can't be cancelled. */
export function ConfirmOption({ desk }: { readonly desk: Desk }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { confirming: direction, form, market, summary, context } = desk
  const { terms } = context
  // While the order is sent, the same order again might be refused (for example by a cap), so faults are hidden.
  const fault = direction === undefined || desk.sending !== undefined ? undefined : desk.wrong[direction]
  const pair = `${market.base}/${market.quote}`
  return (
    <ConfirmSheet
      isOpen={direction !== undefined}
      onClose={desk.cancel}
      onConfirm={desk.confirm}
      title={direction === undefined ? '' : t(`settled.sidePair.${direction}`, { pair })}
      confirm={t('settled.place')}
      tone={direction ?? 'primary'}
      isBusy={desk.sending !== undefined}
      note={desk.restLeft > 0 ? t('settled.restLeft', { seconds: format.number(desk.restLeft) }) : t('settled.confirmNote')}
      isDisabled={fault !== undefined || desk.restLeft > 0}
      error={fault === undefined ? desk.problem : t(`refusals.${fault}`)}
    >
      <SummaryRow label={t('settled.direction')}>{direction !== undefined && <DirectionTag direction={direction} />}</SummaryRow>
      <SummaryRow label={t('option.duration')}>{durationOf(form.seconds, t)}</SummaryRow>
      <SummaryRow label={t('option.stake')}>{`${format.sum(form.stake || '0', market.quote, true)} ${market.quote}`}</SummaryRow>
      <SummaryRow label={t('option.rate')}>{summary.rate === undefined ? '–' : format.percent(summary.rate.profit, 0)}</SummaryRow>
      <SummaryRow label={t('option.ifWin')}>
        <span className="text-up">
          {summary.profit === undefined ? '–' : `+${format.sum(summary.profit, market.quote, true)} ${market.quote}`}
        </span>
      </SummaryRow>
      <SummaryRow label={t('option.ifLose')}>
        <span className="text-down">
          {summary.loss === undefined ? '–' : `−${format.sum(summary.loss, market.quote, true)} ${market.quote}`}
        </span>
      </SummaryRow>
      <SummaryRow label={t('option.opening')}>
        {t('settled.openingSoon', { seconds: format.number(terms.strikeDelayMs / 1_000, 0, 1) })}
      </SummaryRow>
      {form.guard !== '' && (
        <SummaryRow label={t('option.guard')}>{t('option.guardValue', { percent: format.percent(form.guard) })}</SummaryRow>
      )}
      <SummaryRow label={t('option.fee')}>{`${format.sum(terms.fee, market.quote, true)} ${market.quote}`}</SummaryRow>
    </ConfirmSheet>
  )
}
