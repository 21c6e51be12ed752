import { ApiError } from '@candor/client/errors.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireWithdrawalAddress } from '@candor/core/protocol/wire/addresses.ts'
import type { WireChainNetwork, WireWithdrawTerms } from '@candor/core/protocol/wire/chains.ts'
import { type FormEvent, useId, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import type { Sending } from '../../app/use-send-once.ts'
import { CodeField } from '../../parts/account/code-field.tsx'
import { FactorError } from '../../parts/account/factor-form.tsx'
import { canUsePasskeys } from '../../parts/account/passkeys.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { peopleFor } from './form.ts'
import type { AskedWithdrawal } from './use-withdraw.ts'

type Props = {
  readonly asset: string
  readonly scale: number
  readonly network: WireChainNetwork
  readonly terms: WireWithdrawTerms
  readonly address: WireWithdrawalAddress
  readonly units: number
  readonly isKeyNeeded: boolean
  readonly withdraw: Sending<AskedWithdrawal>
  readonly onClose: () => void
}

/** The whole withdrawal once more, and its confirmation by the payment password and a second factor or a passkey. */
export function ReviewSheet({ asset, scale, network, terms, address, units, isKeyNeeded, withdraw, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const formId = useId()
  const [paymentPassword, setPaymentPassword] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const amount = formatUnits(units, scale)
  const { fee } = terms
  const code = withdraw.error instanceof ApiError ? withdraw.error.code : undefined
  const isOfField = code === 'PAYMENT_PASSWORD_WRONG'
  const missing = wasSent && paymentPassword.length < 6 ? t('chains.paymentMissing') : undefined
  const isUnable = isKeyNeeded && !canUsePasskeys()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (paymentPassword.length < 6 || isUnable) return
    withdraw.send({ asset, network: network.name, address: address.id, amount, fee, paymentPassword })
  }
  const text = (value: string): string => `${format.sum(value, asset, true)} ${asset}`
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('chains.check')}
      footer={
        <Button type="submit" form={formId} isWide isBusy={withdraw.isSending} disabled={isUnable}>
          {t('chains.confirm', { amount: format.number(amount), asset })}
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <dl>
          <SummaryRow label={t('chains.receive')}>
            <span className="text-22 font-semibold">{text(formatUnits(units - (parseUnits(fee, scale) ?? 0), scale))}</span>
          </SummaryRow>
          <SummaryRow label={t('chains.amount')}>{text(amount)}</SummaryRow>
          <SummaryRow label={t('chains.fee')}>{text(fee)}</SummaryRow>
          <SummaryRow label={t('chains.network')}>{network.label}</SummaryRow>
        </dl>
        <div className="flex flex-col gap-1.5 rounded-control bg-s2 p-3.5">
          <span className="text-13 text-fg2">{`${t('chains.to')} · ${address.label}`}</span>
          <GroupedAddress address={address.address} className="text-15" />
        </div>
        {address.uses === 0 && <p className="rounded-control bg-warntint p-3 text-13 text-fg">{t('chains.firstTime')}</p>}
        <CodeField
          isSecret
          label={t('chains.payment')}
          value={paymentPassword}
          onChange={setPaymentPassword}
          error={missing ?? (isOfField ? problemOf(withdraw.error, t).text : undefined)}
        />
        <p className="text-12 text-fg3">
          {t(`chains.people.${peopleFor(units, terms, scale)}`)}
          {isKeyNeeded && !isUnable && ` ${t('chains.byPasskey')}`}
        </p>
        {isUnable && <p className="rounded-control bg-warntint p-3 text-13 text-fg">{t('chains.noPasskey')}</p>}
        {!isOfField && <FactorError error={withdraw.error} />}
      </form>
    </Sheet>
  )
}
