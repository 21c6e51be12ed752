import { type PaperKind, type PhotoSide, sidesOf } from '@candor/core/protocol/wire/papers.ts'
import type { WireRegain, WireRegainPapers } from '@candor/core/protocol/wire/regain.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { keepRegain, regain as requests } from '../../parts/access/regain.ts'
import { CountryField } from '../../parts/fields/country-field.tsx'
import { DataFields } from '../../parts/papers/data-fields.tsx'
import { type Data, type DataField, draftOf, errorsOf } from '../../parts/papers/fields.ts'
import { KindCards } from '../../parts/papers/kind-cards.tsx'
import { StepPage } from '../../parts/papers/step-page.tsx'
import { dataErrorText } from '../../parts/papers/words.ts'
import { Button } from '../../parts/ui/button.tsx'
import { PhotoStep } from './photo-step.tsx'
import { Withdraw } from './withdraw.tsx'

type Step = 'document' | 'data' | PhotoSide
type Typed = { readonly kind: PaperKind | null; readonly country: string | null; readonly data: Data }
const nothing: Typed = { kind: null, country: null, data: { name: '', born: { day: '', month: '', year: '' }, number: '' } }

/** The verified document once more: which one, what it says, and its photos. */
export function Draft({ regain }: { readonly regain: WireRegain }) {
  const [typed, setTyped] = useState(nothing)
  const [step, setStep] = useState<Step>('document')
  const [hasMoved, setHasMoved] = useState(false)
  const send = useMutation({
    mutationFn: (papers: WireRegainPapers) => requests.send(papers),
    onSuccess: keepRegain,
  })
  const { kind, country, data } = typed
  const steps: readonly Step[] = ['document', 'data', ...sidesOf(kind ?? 'id-card')]
  const at = steps.indexOf(step)
  const has = (side: PhotoSide): boolean => regain.photos.some((photo) => photo.side === side)
  const done = steps.map((one, place) => (one === 'front' || one === 'back' ? has(one) : place < at))
  const next = (): void => {
    const after = steps[at + 1]
    setHasMoved(true)
    if (after !== undefined) setStep(after)
    else if (kind !== null && country !== null && !send.isPending) send.mutate({ kind, country, ...draftOf(data) })
  }
  const back = at === 0 ? undefined : () => setStep(steps[at - 1] ?? 'document')
  const shared = { at, done, takesFocus: hasMoved, onNext: next }
  if (step === 'document') return <DocumentStep {...shared} typed={typed} onChange={setTyped} />
  if (step === 'data') return <DataStep {...shared} typed={typed} onChange={setTyped} onBack={back} />
  return (
    <PhotoStep
      key={step}
      {...shared}
      side={step}
      kind={kind ?? 'id-card'}
      isLast={at === steps.length - 1}
      isSending={send.isPending}
      error={send.error}
      onBack={back}
    />
  )
}

export type StepShared = {
  readonly at: number
  readonly done: readonly boolean[]
  readonly takesFocus: boolean
  readonly onNext: () => void
}
type TypedProps = StepShared & { readonly typed: Typed; readonly onChange: (next: Typed) => void }

function DocumentStep({ typed, onChange, onNext, ...rest }: TypedProps) {
  const { t } = useTranslation()
  const [wasSent, setWasSent] = useState(false)
  const { kind, country } = typed
  return (
    <StepPage
      {...rest}
      key="document"
      title={t('papers.document')}
      footer={
        <>
          <Button
            isWide
            onClick={() => {
              setWasSent(true)
              if (kind !== null && country !== null) onNext()
            }}
          >
            {t('common.next')}
          </Button>
          <Withdraw />
        </>
      }
    >
      <p className="text-15 text-fg2">{t('reverify.draftLead')}</p>
      <KindCards
        kind={kind}
        onChange={(next) => onChange({ ...typed, kind: next })}
        error={wasSent && kind === null ? t('papers.kindMissing') : undefined}
      />
      <CountryField
        label={t('papers.country')}
        value={country}
        onChange={(next) => onChange({ ...typed, country: next })}
        error={wasSent && country === null ? t('papers.countryMissing') : undefined}
      />
    </StepPage>
  )
}

function DataStep({ typed, onChange, onNext, onBack, ...rest }: TypedProps & { readonly onBack: (() => void) | undefined }) {
  const { t } = useTranslation()
  const formId = useId()
  const [left, setLeft] = useState<ReadonlySet<DataField>>(new Set())
  const { data, kind } = typed
  const errors = errorsOf(data, Date.now())
  const errorOf = (field: DataField): string | undefined => {
    const error = errors[field]
    return error !== undefined && left.has(field) ? dataErrorText(error, t) : undefined
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setLeft(new Set(['name', 'born', 'number']))
    const [first] = (['name', 'born', 'number'] as const).filter((field) => errors[field] !== undefined)
    if (first === undefined) onNext()
    else event.currentTarget.querySelector<HTMLInputElement>(`[data-field="${first}"] input`)?.focus()
  }
  return (
    <StepPage
      {...rest}
      key="data"
      title={t('papers.data')}
      footer={
        <>
          <Button type="submit" form={formId} isWide>
            {t('common.next')}
          </Button>
          <Button variant="ghost" size="medium" isWide onClick={onBack}>
            {t('common.back')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p className="text-13 text-fg2">{t('papers.dataLead')}</p>
        <DataFields
          data={data}
          kind={kind ?? 'id-card'}
          onChange={(next) => onChange({ ...typed, data: { ...data, ...next } })}
          onLeave={(field) => setLeft((now) => new Set([...now, field]))}
          errorOf={errorOf}
        />
      </form>
    </StepPage>
  )
}
