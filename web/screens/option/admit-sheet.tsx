import type { WireOptionFigures, WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import type { Key } from '../../app/translate.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Check, Field } from '../../parts/fields/field.tsx'
import { LossLines } from '../../parts/limits/loss-line.tsx'
import { option, putOptionMe } from '../../parts/option/data.ts'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton, Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, FormError } from '../../parts/ui/state.tsx'
import { useNumberInput } from '../../parts/fields/use-number.ts'
import { toast } from '../../parts/ui/toast.tsx'
import { useSetLimits } from './limits-sheet.tsx'
import { Rules } from './rules-sheet.tsx'

type Step = 'warning' | 'questions' | 'limit'

/** Shown once before the first order: other customers' results, the rules, five questions, and an optional limit. */
export function AdmitSheet({
  terms,
  currency,
  onClose,
}: {
  readonly terms: WireOptionTerms
  readonly currency: string
  readonly onClose: () => void
}) {
  const [step, setStep] = useState<Step>('warning')
  if (step === 'warning') return <Warning terms={terms} onClose={onClose} onNext={() => setStep('questions')} />
  if (step === 'questions') return <Questions terms={terms} onClose={onClose} onNext={() => setStep('limit')} />
  return <FirstLimit currency={currency} onClose={onClose} />
}

function Warning({
  terms,
  onClose,
  onNext,
}: {
  readonly terms: WireOptionTerms
  readonly onClose: () => void
  readonly onNext: () => void
}) {
  const { t } = useTranslation()
  const [isRead, setIsRead] = useState(false)
  const figures = useQuery({ queryKey: ['option', 'figures'], queryFn: () => option.figures(), staleTime: 300_000 })
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('admission.admit.title')}
      footer={
        <div className="flex flex-col gap-3">
          <Check isOn={isRead} onChange={setIsRead}>
            {t('admission.admit.read')}
          </Check>
          <Button isWide disabled={!isRead || figures.data === undefined} onClick={onNext}>
            {t('admission.admit.toQuestions')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4 text-13 text-fg2">
        <div className="flex gap-3 rounded-card bg-warntint p-3">
          <TriangleAlert size={22} strokeWidth={1.75} aria-hidden className="shrink-0 text-warn" />
          <div className="flex flex-col gap-1.5">
            <h3 className="text-15 font-semibold text-fg">{t('admission.admit.warning')}</h3>
            {figures.data === undefined ? (
              figures.error === null ? (
                <>
                  <Skeleton className="h-4 w-full" />
                  <Skeleton className="h-4 w-4/5" />
                  <Skeleton className="h-4 w-3/5" />
                </>
              ) : (
                <Failure error={figures.error} onRetry={() => void figures.refetch()} isSmall />
              )
            ) : (
              <Figures figures={figures.data} terms={terms} />
            )}
          </div>
        </div>
        <LossLines products={['option']} />
        <p>{t('admission.admit.risk')}</p>
        <p>{t('admission.admit.play')}</p>
      </div>
    </Sheet>
  )
}

/** Results of all customers in the last 30 days, from the ledger; without any, the odds that follow from the rates. */
function Figures({ figures, terms }: { readonly figures: WireOptionFigures; readonly terms: WireOptionTerms }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (figures.customers === 0) {
    const losses = terms.rates.map((rate) => (100 - Number(rate.profit)) / 2)
    return (
      <p>
        {t('admission.admit.noFigures', {
          least: format.percent(Math.min(...losses), 0),
          most: format.percent(Math.max(...losses), 0),
        })}
      </p>
    )
  }
  const net = Number(figures.net)
  const money = { staked: format.number(figures.staked, 0, 0), amount: format.number(Math.abs(net), 0, 0) }
  return (
    <>
      <p className="font-medium text-fg">
        {t('admission.admit.figures', { count: figures.customers })}{' '}
        {t('admission.admit.lost', {
          count: figures.customersThatLost,
          share: format.percent((figures.customersThatLost / figures.customers) * 100, 0),
        })}
      </p>
      <p>{t('admission.admit.orders', { count: figures.orders, won: format.percent(figures.wonPercent, 1) })}</p>
      <p>{net > 0 ? t('admission.admit.netGain', money) : t('admission.admit.netLoss', money)}</p>
    </>
  )
}

function Questions({
  terms,
  onClose,
  onNext,
}: {
  readonly terms: WireOptionTerms
  readonly onClose: () => void
  readonly onNext: () => void
}) {
  const { t } = useTranslation()
  const config = useConfig().data
  const [answers, setAnswers] = useState<Readonly<Record<string, number>>>({})
  const [wasTried, setWasTried] = useState(false)
  const query = useQuery({ queryKey: ['option', 'knowledge'], queryFn: () => option.knowledge(), staleTime: 300_000 })
  const send = useMutation({
    mutationFn: () => option.answer({ answers }),
    onSuccess(me) {
      putOptionMe(me)
      onNext()
    },
  })
  const questions = query.data?.questions ?? []
  const isWhole = questions.length > 0 && questions.every(({ id }) => answers[id] !== undefined)
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('admission.admit.questions')}
      footer={
        <div className="flex flex-col gap-2">
          {wasTried && !isWhole && (
            <p role="alert" className="text-12 text-danger">
              {t('admission.admit.missing')}
            </p>
          )}
          <FormError error={send.error} />
          <Button
            isWide
            isBusy={send.isPending}
            disabled={query.data === undefined}
            onClick={() => {
              setWasTried(true)
              if (isWhole) send.mutate()
            }}
          >
            {t('admission.admit.submit')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-5">
        <details className="rounded-card bg-s2 p-3">
          <summary className="text-13 font-medium">{t('option.rules')}</summary>
          <div className="pt-3">
            <Rules terms={terms} feed={config?.feed} />
          </div>
        </details>
        <p className="text-13 text-fg2">{t('admission.admit.questionsHint')}</p>
        {query.data === undefined &&
          (query.error === null ? <RowsSkeleton rows={5} /> : <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />)}
        {questions.map((question) => (
          <Question
            key={question.id}
            id={question.id}
            count={question.answers}
            value={answers[question.id]}
            onChange={(value) => {
              send.reset()
              setAnswers({ ...answers, [question.id]: value })
            }}
          />
        ))}
      </div>
    </Sheet>
  )
}

function Question({
  id,
  count,
  value,
  onChange,
}: {
  readonly id: string
  readonly count: number
  readonly value: number | undefined
  readonly onChange: (value: number) => void
}) {
  const { t } = useTranslation()
  const say = (key: string): string => t(`admission.knowledge.${key}` as Key)
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="pb-2 text-15 font-medium">{say(id)}</legend>
      {Array.from({ length: count }, (_, answer) => (
        <label
          key={answer}
          className={`flex min-h-11 items-center gap-3 rounded-control px-3 py-2 text-13 ${value === answer ? 'bg-brandtint' : 'bg-s2'}`}
        >
          <input
            type="radio"
            name={id}
            checked={value === answer}
            onChange={() => onChange(answer)}
            className="size-4.5 shrink-0 accent-brand"
          />
          {say(`${id}a${answer}`)}
        </label>
      ))}
    </fieldset>
  )
}

/** An optional limit before the first order. */
function FirstLimit({ currency, onClose }: { readonly currency: string; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const number = useNumberInput(text, 2, setText)
  const save = useSetLimits(t('admission.admit.done'))
  const hasLimit = Number(text) > 0
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('admission.admit.limitTitle')}
      footer={
        <Button
          isWide
          isBusy={save.isPending}
          onClick={() => {
            if (hasLimit) save.mutate({ lossMax: text.replace(/\.$/, '') }, { onSuccess: onClose })
            else {
              toast({ text: t('admission.admit.done'), tone: 'good' })
              onClose()
            }
          }}
        >
          {hasLimit ? t('admission.admit.startWith') : t('admission.admit.start')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-13 text-fg2">{t('admission.admit.limitHint')}</p>
        <Field
          label={`${t('admission.limit.daily')} (${currency})`}
          {...number}
          inputMode="decimal"
          autoComplete="off"
          hint={t('admission.limit.dailyHint')}
        />
        <FormError error={save.error} />
      </div>
    </Sheet>
  )
}
