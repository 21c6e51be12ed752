import { ApiError } from '@candor/client/errors.ts'
import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { CodeField } from '../../parts/account/code-field.tsx'
import { FactorError } from '../../parts/account/factor-form.tsx'
import { withProof } from '../../parts/account/proof.ts'
import { safety, safetyQuery } from '../../parts/account/safety.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

type Props = { readonly own: WireSafety; readonly onClose: () => void }

/** Sets the payment password: another one by the present one, or after a proof if that is forgotten. */
export function PaymentSheet({ isOpen, ...rest }: Props & { readonly isOpen: boolean }) {
  return isOpen ? <OpenPaymentSheet {...rest} /> : null
}

function OpenPaymentSheet({ own, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const formId = useId()
  const form = usePayment(own, onClose)
  const { change, problems } = form
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('safety.payment')}
      footer={
        <Button type="submit" form={formId} isWide isBusy={change.isPending}>
          {t('safety.phraseSave')}
        </Button>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        <p className="text-13 text-fg2">{t('safety.paymentLead')}</p>
        {own.paymentLockedUntil !== null && (
          <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
            {t('safety.paymentLocked', { time: format.dateTime(own.paymentLockedUntil) })}
          </p>
        )}
        {form.needsCurrent && (
          <div className="flex flex-col items-start gap-1">
            <div className="w-full">
              <CodeField
                isSecret
                label={t('safety.paymentCurrent')}
                value={form.current}
                onChange={form.setCurrent}
                error={problems.current}
                hasFocus
              />
            </div>
            <button type="button" onClick={form.forget} className="min-h-8 text-13 font-medium text-brand">
              {t('safety.paymentForgot')}
            </button>
          </div>
        )}
        <CodeField
          isSecret
          label={t('safety.paymentNew')}
          value={form.digits}
          onChange={form.setDigits}
          error={problems.digits}
          hasFocus={!form.needsCurrent}
        />
        <CodeField isSecret label={t('safety.paymentAgain')} value={form.again} onChange={form.setAgain} error={problems.again} />
        {own.hasPaymentPassword && <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('safety.paymentClosing')}</p>}
        {form.isLocked ? <FormError error={change.error} /> : <FactorError error={form.isOfField ? null : change.error} />}
      </form>
    </Sheet>
  )
}

function usePayment(own: WireSafety, onClose: () => void) {
  const { t } = useTranslation()
  const [current, setCurrent] = useState('')
  const [digits, setDigits] = useState('')
  const [again, setAgain] = useState('')
  const [isForgotten, setIsForgotten] = useState(own.paymentLockedUntil !== null)
  const [wasSent, setWasSent] = useState(false)
  const needsCurrent = own.hasPaymentPassword && !isForgotten
  const change = useMutation({
    mutationFn: () => withProof(() => safety.setPaymentPassword({ digits, ...(needsCurrent ? { current } : {}) })),
    onSuccess: () => {
      onClose()
      toast({ text: t('safety.paymentSet'), tone: 'good' })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: safetyQuery }),
  })
  const refusal = change.error instanceof ApiError ? change.error.code : undefined
  const text = change.error === null ? undefined : problemOf(change.error, t).text
  const missing = (value: string): string | undefined => (wasSent && value.length < 6 ? t('safety.paymentMissing') : undefined)
  const problems = {
    current: missing(current) ?? (refusal === 'PAYMENT_PASSWORD_WRONG' ? text : undefined),
    digits: missing(digits) ?? (refusal === 'PAYMENT_PASSWORD_COMMON' ? text : undefined),
    again: missing(again) ?? (wasSent && again !== digits ? t('safety.paymentDiffers') : undefined),
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (digits.length < 6 || again !== digits || (needsCurrent && current.length < 6) || change.isPending) return
    change.mutate()
  }
  const forget = (): void => {
    change.reset()
    setIsForgotten(true)
  }
  const isOfField = refusal === 'PAYMENT_PASSWORD_COMMON' || (refusal === 'PAYMENT_PASSWORD_WRONG' && needsCurrent)
  const isLocked = refusal === 'PAYMENT_PASSWORD_LOCKED'
  return {
    ...{ current, setCurrent, digits, setDigits, again, setAgain, needsCurrent, problems, change, submit, forget, isOfField, isLocked },
  }
}
