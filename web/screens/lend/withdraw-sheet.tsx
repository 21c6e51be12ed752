import type { Units } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireClaim } from '@candor/core/protocol/wire/margin.ts'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Button } from '../../parts/ui/button.tsx'
import { AmountField, plain, unitsOf } from '../../parts/margin/amount-field.tsx'
import { margin } from '../../parts/margin/api.ts'
import { poolKey } from '../../parts/margin/data.ts'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

/** Redeems lent coins. The pool pays its free coins immediately; the rest waits in its queue. */
export function WithdrawSheet({
  claim,
  scale,
  onClose,
}: {
  readonly claim: WireClaim
  readonly scale: number
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { asset } = claim
  const [amount, setAmount] = useState('')
  const part = (text: string): number => parseUnits(text, scale) ?? 0
  const free = Math.max(0, part(claim.claim) - part(claim.queued))
  const units = unitsOf(amount, scale)
  const show = (value: number): string => `${format.sum(formatUnits(value as Units, scale), asset, true)} ${asset}`
  const now = Math.min(units ?? 0, part(claim.liquid))
  const later = (units ?? 0) - now
  const withdrawal = useSendOnce({
    request: (clientId, asked: { readonly asset: string; readonly amount: string }) => ({ clientId, ...asked }),
    call: margin.withdraw,
    alsoOld: poolKey,
    onAnswer(after) {
      const isQueued = part(after.queued) > part(claim.queued)
      toast({ text: isQueued ? t('lend.isQueued') : t('lend.withdrawn', { amount: show(units ?? 0) }), tone: 'good' })
      onClose()
    },
  })
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('lend.withdrawTitle', { asset })}
      footer={
        <Button
          isWide
          disabled={units === undefined || units > free}
          isBusy={withdrawal.isSending}
          onClick={() => withdrawal.send({ asset, amount: plain(amount) })}
        >
          {units === undefined ? t('lend.withdraw') : t('lend.withdrawNow', { amount: show(units) })}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <AmountField
          asset={asset}
          scale={scale}
          value={amount}
          most={formatUnits(free as Units, scale)}
          mostLabel={t('lend.lent')}
          error={units !== undefined && units > free ? t('refusals.CLAIM_TOO_SMALL') : undefined}
          onChange={setAmount}
        />
        <dl>
          <SummaryRow label={t('lend.atOnce')}>{units === undefined ? show(part(claim.liquid)) : show(now)}</SummaryRow>
          <SummaryRow label={t('lend.waits')}>{units === undefined ? '–' : show(later)}</SummaryRow>
        </dl>
        {Math.min(units ?? free, part(claim.liquid)) > part(claim.fresh) && <p className="text-12 text-fg2">{t('lend.leavesHour')}</p>}
        {(later > 0 || part(claim.liquid) < free) && <p className="text-12 text-fg2">{t('lend.queueHint')}</p>}
        <FormError error={withdrawal.error} />
      </div>
    </Sheet>
  )
}
