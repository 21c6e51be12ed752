import type { Decimal } from '@candor/core/money/brand.ts'
import { useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { type OwnPresaleDetail, presale as routes, presaleKey } from '../../parts/presale/api.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { Confirmation } from './confirmation.tsx'
import { mostOf, type Obstacle, obstacleOf, plain, totalOf } from './form.ts'
import { Outlook } from './outlook.tsx'
import { Receipt } from './receipt.tsx'

type Asked = { readonly number: number; readonly amount: Decimal }
type Step = 'amount' | 'confirm' | 'done'

/** Takes part in a presale: the amount, then everything to know before it is sent, then the receipt. `scale`: of the pay asset. */
export function JoinSheet({
  presale,
  scale,
  start,
  onClose,
}: {
  readonly presale: OwnPresaleDetail
  readonly scale: number
  /** The amount that the calculator has. */
  readonly start: string
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const [step, setStep] = useState<Step>('amount')
  const [text, setText] = useState(start)
  const [wasTried, setWasTried] = useState(false)
  const available = useAvailable(presale.payAsset)
  const obstacle = obstacleOf(text, presale, available, scale)
  const error = useObstacleText(obstacle, presale, wasTried)
  const subscribing = useSubscribe(() => setStep('done'))
  const change = (next: string): void => {
    setText(next)
    setWasTried(false)
    subscribing.clear()
  }
  const review = (): void => {
    setWasTried(true)
    if (obstacle === undefined) setStep('confirm')
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t(step === 'amount' ? 'presale.joinTitle' : step === 'confirm' ? 'presale.confirmTitle' : 'presale.done', {
        token: presale.symbol,
      })}
      footer={
        <Footer
          step={step}
          isBusy={subscribing.isSending}
          onReview={review}
          onBack={() => setStep('amount')}
          onSend={() => subscribing.send({ number: presale.number, amount: plain(text) })}
          onClose={onClose}
        />
      }
    >
      {step === 'amount' ? (
        <AmountStep {...{ presale, scale, text, available, error, change }} />
      ) : step === 'confirm' ? (
        <Confirmation presale={presale} amount={plain(text)} total={totalOf(text, presale, scale)} error={subscribing.error} />
      ) : (
        <Receipt presale={presale} amount={plain(text)} />
      )}
    </Sheet>
  )
}

/** Sends a subscription once; afterwards the presale and the balances are read again. */
function useSubscribe(onDone: () => void): Sending<Asked> {
  return useSendOnce({
    request: (clientId, { number, amount }: Asked) => ({ number, body: { clientId, amount } }),
    call: ({ number, body }) => routes.subscribe(number, body),
    onAnswer: onDone,
    alsoOld: presaleKey,
  })
}

/** The balance of the spot account; undefined until it is known. */
function useAvailable(asset: string): Decimal | undefined {
  const balances = useBalances().data?.accounts.find(({ kind }) => kind === 'spot')?.balances
  return balances === undefined ? undefined : (balances.find((one) => one.asset === asset)?.available ?? '0')
}

/** The sentence at the field. A missing amount is named after a try. */
function useObstacleText(
  obstacle: Obstacle | undefined,
  { subscriptionMin, subscriptionMax, payAsset }: OwnPresaleDetail,
  wasTried: boolean,
): string | undefined {
  const { t } = useTranslation()
  const format = useFormats()
  switch (obstacle) {
    case undefined:
      return undefined
    case 'missing':
      return wasTried ? t('presale.missing') : undefined
    case 'tooSmall':
      return t('presale.tooSmall', { min: `${format.number(subscriptionMin)} ${payAsset}` })
    case 'tooLarge':
      return t('presale.tooLarge', { max: `${format.number(subscriptionMax)} ${payAsset}` })
    case 'INSUFFICIENT_BALANCE':
      return t('refusals.INSUFFICIENT_BALANCE')
  }
}

function AmountStep({
  presale,
  scale,
  text,
  available,
  error,
  change,
}: {
  readonly presale: OwnPresaleDetail
  readonly scale: number
  readonly text: string
  readonly available: Decimal | undefined
  readonly error: string | undefined
  readonly change: (text: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { payAsset, own } = presale
  const most = available === undefined ? undefined : mostOf(presale, available, scale)
  return (
    <div className="flex flex-col gap-3">
      <NumberField
        label={`${t(own === null ? 'presale.amount' : 'presale.more')} (${payAsset})`}
        value={text}
        step="10"
        places={scale}
        onChange={change}
        error={error}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-3 text-13 text-fg2">
        <span>
          {t('presale.available')} {available === undefined ? '–' : <Amount value={available} asset={payAsset} className="text-fg" />}
        </span>
        <Button
          variant="soft"
          size="small"
          className="ms-auto"
          disabled={most === undefined || Number(most) <= 0}
          onClick={() => most !== undefined && change(most)}
        >
          {t('presale.maximum')}
        </Button>
      </div>
      <dl>
        {own !== null && (
          <SummaryRow label={t('presale.ownSubscribed')}>
            <Amount value={own.amount} asset={payAsset} />
          </SummaryRow>
        )}
        <SummaryRow label={t('presale.total')}>{`${format.sum(totalOf(text, presale, scale), payAsset, true)} ${payAsset}`}</SummaryRow>
      </dl>
      <Outlook presale={presale} more={plain(text)} />
    </div>
  )
}

function Footer({
  step,
  isBusy,
  onReview,
  onBack,
  onSend,
  onClose,
}: {
  readonly step: Step
  readonly isBusy: boolean
  readonly onReview: () => void
  readonly onBack: () => void
  readonly onSend: () => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  if (step === 'amount')
    return (
      <Button isWide onClick={onReview}>
        {t('common.next')}
      </Button>
    )
  return (
    <div className="flex flex-wrap gap-2">
      {step === 'confirm' ? (
        <>
          <Button variant="soft" className="flex-1" onClick={onBack}>
            {t('common.back')}
          </Button>
          <Button className="flex-[2]" isBusy={isBusy} onClick={onSend}>
            {t('presale.confirm')}
          </Button>
        </>
      ) : (
        <>
          <Button variant="soft" className="flex-auto" onClick={onClose}>
            {t('common.close')}
          </Button>
          <ButtonLink to="/Sellrecord" className="flex-auto">
            {t('presale.mine')}
          </ButtonLink>
        </>
      )}
    </div>
  )
}
