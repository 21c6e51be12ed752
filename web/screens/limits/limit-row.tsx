import type { Decimal } from '@candor/core/money/brand.ts'
import type { OwnLimitKind, WireOwnLimit, WireOwnLimits } from '@candor/core/protocol/wire/own-limits.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { limits, putLimits } from '../../parts/limits/limits.ts'
import { Field } from '../../parts/fields/field.tsx'
import { useNumberInput } from '../../parts/fields/use-number.ts'
import { Button } from '../../parts/ui/button.tsx'
import { useCountdown } from '../../parts/ui/countdown.ts'
import { ActionRow } from '../../parts/ui/row.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { isMinutes, isRaise, shareOf, valueOf } from './form.ts'

/** One limit with what is used of it; a tap changes it. */
export function LimitRow({ limit, own }: { readonly limit: WireOwnLimit; readonly own: WireOwnLimits }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const words = useWords(limit.kind)
  const used = isMinutes(limit.kind) ? own.minutesToday : Number(own.results.find(({ kind }) => kind === limit.kind)?.result ?? 0)
  const share = shareOf(limit, used)
  return (
    <>
      <ActionRow
        onClick={() => setIsOpen(true)}
        title={words.title}
        detail={
          <>
            <span className="tn block">{words.used(own)}</span>
            {limit.value !== null && (
              <span aria-hidden className="mt-1.5 block h-1 overflow-hidden rounded-full bg-s3">
                <span className={`block h-full ${share >= 0.8 ? 'bg-warn' : 'bg-brand'}`} style={{ width: `${share * 100}%` }} />
              </span>
            )}
            {limit.next !== null && <span className="mt-1 block text-fg2">{t('limits.waiting')}</span>}
          </>
        }
        value={<span className="tn">{words.value(limit.value)}</span>}
      />
      {isOpen && <LimitSheet limit={limit} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function LimitSheet({ limit, onClose }: { readonly limit: WireOwnLimit; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { kind, value: present, next } = limit
  const words = useWords(kind)
  const [text, setText] = useState('')
  const number = useNumberInput(text, isMinutes(kind) ? 0 : 2, setText)
  const value = valueOf(text)
  const save = useMutation({
    mutationFn: (wanted: Decimal | null) => limits.set({ kind, value: wanted }),
    onSuccess(own, wanted) {
      putLimits(own)
      toast({ text: isRaise(limit, wanted) ? t('limits.saysWaiting') : t('limits.saved'), tone: 'good' })
      onClose()
    },
  })
  return (
    <Sheet isOpen onClose={onClose} title={words.title}>
      <div className="flex flex-col gap-4 pb-2">
        <p className="tn text-13 text-fg2">{t('limits.present', { value: words.value(present) })}</p>
        {next !== null && <Waiting limit={limit} next={next} onKeep={() => save.mutate(present)} onClose={onClose} />}
        <Field
          label={isMinutes(kind) ? t('limits.amountMinutes') : t('limits.amount')}
          {...number}
          inputMode={isMinutes(kind) ? 'numeric' : 'decimal'}
          autoComplete="off"
          hint={value !== undefined && isRaise(limit, value) ? t('limits.raiseNote') : t('limits.lowerNote')}
        />
        <FormError error={save.error} />
        <Button isWide isBusy={save.isPending} disabled={value === undefined} onClick={() => value !== undefined && save.mutate(value)}>
          {t('limits.save')}
        </Button>
        {present !== null && (
          <Button variant="soft" isWide isBusy={save.isPending} onClick={() => save.mutate(null)}>
            {t('limits.remove')}
          </Button>
        )}
      </div>
    </Sheet>
  )
}

type WaitingProps = {
  readonly limit: WireOwnLimit
  readonly next: NonNullable<WireOwnLimit['next']>
  readonly onKeep: () => void
  readonly onClose: () => void
}

/** A raise that waits for its time and for a second yes, beside the way to leave everything as it is. */
function Waiting({ limit: { kind }, next, onKeep, onClose }: WaitingProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const words = useWords(kind)
  const isReady = useCountdown(next.at) === 0
  const confirm = useMutation({
    mutationFn: () => limits.confirm({ kind }),
    onSuccess(own) {
      putLimits(own)
      toast({ text: t('limits.saved'), tone: 'good' })
      onClose()
    },
  })
  return (
    <div className="flex flex-col gap-3 rounded-card border border-line p-3">
      <p className="tn text-13">
        {isReady
          ? t('limits.ready', { value: words.value(next.value) })
          : t('limits.waits', { value: words.value(next.value), time: format.dateTime(next.at) })}
      </p>
      <FormError error={confirm.error} />
      <div className="flex flex-wrap gap-2">
        <Button variant="soft" size="medium" className="flex-1" onClick={onKeep}>
          {t('limits.keep')}
        </Button>
        <Button
          variant="soft"
          size="medium"
          className="flex-1"
          disabled={!isReady}
          isBusy={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          {t('limits.confirm')}
        </Button>
      </div>
    </div>
  )
}

function useWords(kind: OwnLimitKind) {
  const { t } = useTranslation()
  const format = useFormats()
  const titles = {
    'loss-day': t('limits.lossDay'),
    'loss-week': t('limits.lossWeek'),
    'loss-month': t('limits.lossMonth'),
    'session-day': t('limits.sessionDay'),
    'deposit-day': t('limits.depositDay'),
    'deposit-week': t('limits.depositWeek'),
    'deposit-month': t('limits.depositMonth'),
  }
  const unit = (value: Decimal): string =>
    isMinutes(kind) ? t('limits.minutes', { value: Number(value) }) : `${format.usdt(value)}\u00a0USDT`
  return {
    title: titles[kind],
    value: (value: Decimal | null): string => (value === null ? t('limits.none') : unit(value)),
    used(own: WireOwnLimits): string {
      if (isMinutes(kind)) return t('limits.usedToday', { used: t('limits.minutes', { value: own.minutesToday }) })
      const result = own.results.find((one) => one.kind === kind)?.result ?? null
      const amount = result === null ? '—' : `${format.usdt(result)}\u00a0USDT`
      return kind.startsWith('deposit') ? t('limits.usedSoFar', { used: amount }) : t('limits.result', { result: amount })
    },
  }
}
