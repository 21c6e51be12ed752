import { ApiError } from '@candor/client/errors.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireConvertTerms } from '@candor/core/protocol/wire/convert.ts'
import type { WireAsset } from '@candor/core/protocol/wire/market.ts'
import { ArrowUpDown } from 'lucide-react'
import { type RefObject, useReducer, useRef, useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useMe } from '../../app/session.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button, ButtonLink, IconButton } from '../../parts/ui/button.tsx'
import { afterTap } from '../../parts/fields/after-tap.ts'
import { laterSheet } from '../../parts/ui/later.tsx'
import { Funded, useIsEmpty } from '../../parts/transfer/funded.tsx'
import type { Wanted } from '../../parts/transfer/need.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { CoinsSheet } from './coins-sheet.tsx'
import { useStanding } from './data.ts'
import { errorOf, refusalsOfAmount, type FormError as Obstacle } from './errors.ts'
import { type Action, type Form, reduce, requestOf, type Side } from './form.ts'
import { QuoteSheet } from './quote-sheet.tsx'
import { Rate } from './rate.tsx'
import { SideCard } from './side.tsx'
import { leftOf, type Summary, summaryOf, typedUnits } from './summary.ts'
import { useQuote } from './use-quote.ts'

const TurnoverSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('../../parts/spot/turnover-sheet.tsx'), loadArea('certify')])
  return sheet.TurnoverSheet
})

type Props = { readonly start: Form; readonly terms: WireConvertTerms; readonly assets: readonly WireAsset[] }

/** The form: two coins with their sums, the estimate, and the button that asks for a quote. */
export function Ticket({ start, terms, assets }: Props) {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const [form, dispatch] = useReducer(reduce, start)
  const [choosing, setChoosing] = useState<Side>()
  const [wasTried, setWasTried] = useState(false)
  const [isTyping, setIsTyping] = useState(false)
  const fields = { give: useRef<HTMLInputElement>(null), get: useRef<HTMLInputElement>(null) }
  const quoting = useQuote(terms.validMs)
  const availableOf = useAvailable(assets)
  const left = useLeft()
  const { from, to, side } = form
  const summary = summaryOf(form, terms, assets)
  const available = availableOf(from)
  const obstacle = errorOf(summary, typedUnits(form, assets) !== undefined, terms, {
    available: available === undefined ? undefined : parseUnits(available, scaleOf(assets, from)),
    left,
  })
  const wanted = { to: 'spot', asset: from, symbol: '' } as const
  const isEmpty = useIsEmpty(wanted)
  const refusal = quoting.quote === undefined && quoting.askError instanceof ApiError ? quoting.askError : undefined
  const error = useFieldError({
    obstacle: isQuiet(obstacle, isTyping && !wasTried, isEmpty && !wasTried) ? undefined : obstacle,
    refusal,
    wasTried,
    terms,
    left,
  })
  const act = (action: Action): void => {
    dispatch(action)
    setWasTried(false)
    setIsTyping(action.type === 'amount')
    quoting.clearError()
  }
  const preview = (): void => {
    setWasTried(true)
    if (obstacle === undefined) quoting.ask(requestOf(form))
    else fields[side].current?.focus()
  }
  const empty = (): void => {
    quoting.leave()
    act({ type: 'amount', side: 'give', amount: '' })
  }
  return (
    <section aria-label={t('convert.title')} onBlur={() => afterTap(() => setIsTyping(false))} className="flex flex-col gap-3 px-4">
      <Sides {...{ form, summary, assets, availableOf, error, fields, act, isVisitor }} onCoin={setChoosing} />
      <AboutRate form={form} summary={summary} />
      {!summary.isPriced && <Note text={t('refusals.NO_INDEX_PRICE')} />}
      {quoting.quote === undefined && refusal?.code !== 'TURNOVER_LIMIT' && !isOfAmount(refusal) && <FormError error={quoting.askError} />}
      <Preview {...{ form, wanted, isEmpty }} isDisabled={!summary.isPriced} isBusy={quoting.isAsking} onPress={preview} />
      <p className="text-center text-12 text-fg3">{t('convert.estimate')}</p>
      <Facts {...{ to, terms, left }} />
      {choosing !== undefined && (
        <CoinsSheet
          title={choosing === 'give' ? t('convert.chooseFrom') : t('convert.chooseTo')}
          coins={terms.assets}
          assets={assets}
          chosen={choosing === 'give' ? from : to}
          availableOf={availableOf}
          onChoose={(asset) => {
            act({ type: 'coin', side: choosing, asset })
            setChoosing(undefined)
          }}
          onClose={() => setChoosing(undefined)}
        />
      )}
      {quoting.quote !== undefined && (
        <QuoteSheet quoting={quoting} quote={quoting.quote} terms={terms} onClose={quoting.leave} onAgain={empty} />
      )}
      {refusal?.code === 'TURNOVER_LIMIT' && <TurnoverSheet rests={undefined} onClose={quoting.clearError} />}
    </section>
  )
}

/** The button that asks for a quote; for visitors a login, and for an empty account the way to fill it. */
function Preview({
  form: { from, to },
  wanted,
  isEmpty,
  isDisabled,
  isBusy,
  onPress,
}: {
  readonly form: Form
  readonly wanted: Wanted
  readonly isEmpty: boolean
  readonly isDisabled: boolean
  readonly isBusy: boolean
  readonly onPress: () => void
}) {
  const { t } = useTranslation()
  if (useMe() === undefined)
    return (
      <ButtonLink to={`/login?next=${encodeURIComponent(`/exchange?from=${from}&to=${to}`)}`} isWide>
        {t('convert.login')}
      </ButtonLink>
    )
  return (
    <Funded wanted={wanted} isEmpty={isEmpty}>
      <Button isWide disabled={isDisabled} isBusy={isBusy} onClick={onPress}>
        {t('convert.preview')}
      </Button>
    </Funded>
  )
}

/** Whether nothing is said about the amount yet: it is being typed, or the button already says that the account is empty. */
function isQuiet(obstacle: Obstacle | undefined, isTyping: boolean, isEmpty: boolean): boolean {
  return isTyping || (obstacle === 'INSUFFICIENT_BALANCE' && isEmpty)
}

const isOfAmount = (refusal: ApiError | undefined): boolean => refusal !== undefined && refusalsOfAmount.has(refusal.code)

/** Available sums of the Spot account. A coin without a balance has 0; undefined until balances are known. */
function useAvailable(assets: readonly WireAsset[]): (asset: string) => Decimal | undefined {
  const balances = useBalances().data?.accounts.find(({ kind }) => kind === 'spot')?.balances
  return (asset) =>
    balances === undefined || !assets.some(({ symbol }) => symbol === asset)
      ? undefined
      : (balances.find((one) => one.asset === asset)?.available ?? '0')
}

function useLeft(): Decimal | undefined {
  const standing = useStanding().data
  return standing === undefined ? undefined : leftOf(standing)
}

/** The sentence at the field: of the form's own check, or of the exchange's refusal. A missing amount is named after a try. */
function useFieldError({
  obstacle,
  refusal,
  wasTried,
  terms,
  left,
}: {
  readonly obstacle: Obstacle | undefined
  readonly refusal: ApiError | undefined
  readonly wasTried: boolean
  readonly terms: WireConvertTerms
  readonly left: Decimal | undefined
}): string | undefined {
  const { t } = useTranslation()
  const format = useFormats()
  if (refusal?.code === 'CONVERT_LIMIT') return t('convert.daily', { left: format.usdt(left ?? '0') })
  if (isOfAmount(refusal)) return problemOf(refusal, t).text
  switch (obstacle) {
    case undefined:
      return undefined
    case 'missing':
      return wasTried ? t('convert.missing') : undefined
    case 'INSUFFICIENT_BALANCE':
      return t('refusals.INSUFFICIENT_BALANCE')
    case 'tooLarge':
      return t('convert.tooLarge', { max: format.number(terms.max, 0, 2) })
    case 'tooSmall':
      return t('convert.tooSmall', { min: format.number(terms.min, 0, 2) })
    case 'daily':
      return t('convert.daily', { left: format.usdt(left ?? '0') })
  }
}

/** The two halves with the button between them that exchanges their coins. */
function Sides({
  form,
  summary,
  assets,
  availableOf,
  error,
  fields,
  act,
  isVisitor,
  onCoin,
}: {
  readonly form: Form
  readonly summary: Summary
  readonly assets: readonly WireAsset[]
  readonly availableOf: (asset: string) => Decimal | undefined
  readonly error: string | undefined
  readonly fields: Readonly<Record<Side, RefObject<HTMLInputElement | null>>>
  readonly act: (action: Action) => void
  readonly isVisitor: boolean
  readonly onCoin: (side: Side) => void
}) {
  const { t } = useTranslation()
  const card = (side: Side) => {
    const asset = side === 'give' ? form.from : form.to
    const scale = scaleOf(assets, asset)
    const [units, isTyped, available] = [summary[side], form.side === side, availableOf(asset)]
    return (
      <SideCard
        {...{ asset, scale, available }}
        label={side === 'give' ? t('convert.from') : t('convert.to')}
        amount={isTyped ? form.amount : undefined}
        estimate={isTyped || units === undefined ? undefined : formatUnits(units, scale)}
        error={isTyped ? error : undefined}
        inputRef={fields[side]}
        onAmount={(amount) => act({ type: 'amount', side, amount })}
        onCoin={() => onCoin(side)}
        {...(side === 'get' || isVisitor || available === undefined
          ? {}
          : { onAll: () => act({ type: 'amount', side, amount: formatUnits(parseUnits(available, scale) ?? 0, scale) }) })}
      />
    )
  }
  return (
    <div className="flex flex-col">
      {card('give')}
      <div className="relative z-1 -my-2.5 flex justify-center">
        <IconButton
          label={t('convert.turn')}
          onClick={() => act({ type: 'turn' })}
          className="rounded-full! border-4 border-bg bg-s2 text-brand!"
        >
          <ArrowUpDown size={20} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
      {card('get')}
    </div>
  )
}

/** The rate by the index, the spread included. */
function AboutRate({ form: { from, to }, summary: { rate, inverse } }: { readonly form: Form; readonly summary: Summary }) {
  const { t } = useTranslation()
  return (
    <dl>
      <SummaryRow label={t('convert.rate')}>
        {rate === undefined || inverse === undefined ? '–' : <Rate {...{ from, to, rate, inverse }} isAbout />}
      </SummaryRow>
    </dl>
  )
}

/** What the exchange keeps, and the limits. */
function Facts({ to, terms, left }: { readonly to: string; readonly terms: WireConvertTerms; readonly left: Decimal | undefined }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <dl>
      <SummaryRow label={t('convert.spread')}>{format.percent(terms.spreadPercent)}</SummaryRow>
      <SummaryRow label={t('convert.fee')}>{`${format.sum('0', to)} ${to}`}</SummaryRow>
      <SummaryRow label={t('convert.limits')}>
        {t('convert.range', { min: format.number(terms.min, 0, 2), max: format.number(terms.max, 0, 2) })}
      </SummaryRow>
      {left !== undefined && <SummaryRow label={t('convert.today')}>{`${format.usdt(left)} USDT`}</SummaryRow>}
    </dl>
  )
}

function Note({ text }: { readonly text: string }) {
  return (
    <p role="status" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-warn">
      {text}
    </p>
  )
}
