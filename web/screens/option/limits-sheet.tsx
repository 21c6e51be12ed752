import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { WireOptionLimits, WireOptionMe } from '@candor/core/protocol/wire/option.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { withProof } from '../../parts/account/proof.ts'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { exchangeNow } from '../../parts/live/clock.ts'
import { option, putOptionMe, useOptionMe } from '../../parts/option/data.ts'
import { ConfirmSheet, Sheet } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, FormError } from '../../parts/ui/state.tsx'
import { useNumberInput } from '../../parts/fields/use-number.ts'
import { Chip } from '../../parts/ui/tabs.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { usedOf } from './form.ts'

/** The user's own limits: a daily loss limit and a break, each with its current and its pending value. */
export function LimitsSheet({ currency, onClose }: { readonly currency: string; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const query = useOptionMe()
  return (
    <>
      <Sheet isOpen onClose={onClose} title={t('admission.limit.title')}>
        {query.data === undefined ? (
          query.error === null ? (
            <RowsSkeleton rows={4} />
          ) : (
            <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
          )
        ) : (
          <div className="flex flex-col gap-6 pb-2">
            <Today me={query.data} currency={currency} />
            <LossLimit me={query.data} currency={currency} />
            <CoolOff me={query.data} />
            <ButtonLink to="/limits" variant="soft" isWide>
              {t('admission.limit.all')}
            </ButtonLink>
          </div>
        )}
      </Sheet>
      <ProofGate />
    </>
  )
}

export function useSetLimits(done: string) {
  return useMutation({
    mutationFn: (limits: WireOptionLimits) => withProof(() => option.setLimits(limits)),
    onSuccess(me) {
      putOptionMe(me)
      toast({ text: done, tone: 'good' })
    },
  })
}

/** The used part of the limit, with running stakes counted as lost. */
function Today({ me, currency }: { readonly me: WireOptionMe; readonly currency: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const used = usedOf(me)
  const share = me.lossMax === null || Number(me.lossMax) === 0 ? 0 : Math.min(1, used / Number(me.lossMax))
  return (
    <div className="flex flex-col gap-2 rounded-card bg-s2 p-3">
      <dl className="tn flex justify-between gap-4 text-13">
        <div>
          <dt className="text-12 text-fg2">{t('admission.limit.today')}</dt>
          <dd className="font-medium">{`${format.sum(Number(me.lossToday) > 0 ? me.lossToday : '0', currency)} ${currency}`}</dd>
        </div>
        <div className="text-end">
          <dt className="text-12 text-fg2">{t('admission.limit.open')}</dt>
          <dd className="font-medium">{`${format.sum(me.openStakes, currency)} ${currency}`}</dd>
        </div>
      </dl>
      {me.lossMax === null ? (
        <p className="text-12 text-fg2">{t('admission.limit.noLimit')}</p>
      ) : (
        <>
          <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-s3">
            <div className={`h-full ${share >= 0.8 ? 'bg-warn' : 'bg-brand'}`} style={{ width: `${share * 100}%` }} />
          </div>
          <p className="text-12 text-fg2">
            {t('admission.limit.ofLimit', { used: format.sum(used.toFixed(6), currency), max: format.sum(me.lossMax, currency), currency })}
          </p>
        </>
      )}
    </div>
  )
}

function LossLimit({ me, currency }: { readonly me: WireOptionMe; readonly currency: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [text, setText] = useState(me.lossMax ?? '')
  const number = useNumberInput(text, 2, setText)
  const save = useSetLimits(t('admission.limit.saved'))
  const sum = (value: string | null): string => (value === null ? t('admission.limit.none') : `${format.sum(value, currency)} ${currency}`)
  const isWaiting = me.nextAt !== null && me.nextAt > exchangeNow()
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-15 font-semibold">{t('admission.limit.daily')}</h3>
      <p className="text-12 text-fg2">{t('admission.limit.dailyHint')}</p>
      <p className="tn text-13">
        {t('admission.limit.holds', { amount: sum(me.lossMax) })}
        {isWaiting && me.nextAt !== null && (
          <span className="block text-fg2">
            {t('admission.limit.next', { time: format.dateTime(me.nextAt), amount: sum(me.nextLossMax) })}
          </span>
        )}
      </p>
      <Field label={`${t('admission.limit.daily')} (${currency})`} {...number} inputMode="decimal" autoComplete="off" />
      <FormError error={save.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          size="medium"
          className="flex-1"
          isBusy={save.isPending}
          disabled={text === '' || Number(text) <= 0}
          onClick={() => save.mutate({ lossMax: text.replace(/\.$/, '') })}
        >
          {t('admission.limit.save')}
        </Button>
        {me.lossMax !== null && (
          <Button variant="soft" size="medium" className="flex-1" isBusy={save.isPending} onClick={() => save.mutate({ lossMax: null })}>
            {t('admission.limit.remove')}
          </Button>
        )}
      </div>
    </section>
  )
}

const breaks = [1, 7, 30] as const

function CoolOff({ me }: { readonly me: WireOptionMe }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [days, setDays] = useState<(typeof breaks)[number]>(1)
  const [isAsking, setIsAsking] = useState(false)
  const start = useSetLimits(t('admission.limit.started'))
  const until = me.coolOffUntil !== null && me.coolOffUntil > exchangeNow() ? me.coolOffUntil : undefined
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-15 font-semibold">{t('admission.limit.coolOff')}</h3>
      <p className="text-12 text-fg2">{t('admission.limit.coolOffHint')}</p>
      {until !== undefined && (
        <p className="tn text-13 font-medium">{t('admission.limit.coolOffUntil', { time: format.dateTime(until) })}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {breaks.map((count) => (
          <Chip key={count} isOn={days === count} onClick={() => setDays(count)}>
            {t('admission.limit.days', { count })}
          </Chip>
        ))}
      </div>
      <Button variant="soft" size="medium" onClick={() => setIsAsking(true)}>
        {t('admission.limit.start')}
      </Button>
      <ConfirmSheet
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() =>
          start.mutate(
            { lossMax: me.nextAt === null ? me.lossMax : me.nextLossMax, coolOffHours: days * 24 },
            { onSuccess: () => setIsAsking(false) },
          )
        }
        title={t('admission.limit.coolOff')}
        confirm={t('admission.limit.start')}
        tone="danger"
        isBusy={start.isPending}
        note={t('admission.limit.confirm', { time: format.dateTime(exchangeNow() + days * 86_400_000) })}
      />
      <FormError error={start.error} />
    </section>
  )
}
