import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { DataFields } from '../../parts/papers/data-fields.tsx'
import { type Data, type DataField, dataOf, draftOf, errorsOf } from '../../parts/papers/fields.ts'
import { dataErrorText } from '../../parts/papers/words.ts'
import { StepFrame } from './step-frame.tsx'
import { faultOf } from './steps.ts'
import { type StepProps, useSave } from './use-save.ts'
import { faultText } from './words.ts'

/** Name, date of birth and number, as the document shows them. An error is shown once its field was left. */
export function DataStep({ papers, takesFocus, onNext }: StepProps) {
  const { t } = useTranslation()
  const formId = useId()
  const [data, setData] = useState(() => dataOf(papers))
  const [left, setLeft] = useState<ReadonlySet<DataField>>(new Set())
  const save = useSave('data', onNext)
  const errors = errorsOf(data, Date.now())
  const before = dataOf(papers)
  const isSame = (field: DataField): boolean => draftOf(data)[field] === draftOf(before)[field]

  const change = (next: Partial<Data>): void => setData((now) => ({ ...now, ...next }))
  const leave = (field: DataField): void => setLeft((now) => new Set([...now, field]))
  const errorOf = (field: DataField): string | undefined => {
    const error = errors[field]
    if (error !== undefined) return left.has(field) ? dataErrorText(error, t) : undefined
    const fault = faultOf(papers, field)
    return fault !== undefined && isSame(field) ? faultText(fault, t) : undefined
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setLeft(new Set(['name', 'born', 'number']))
    const [first] = (['name', 'born', 'number'] as const).filter((field) => errors[field] !== undefined)
    if (first !== undefined) event.currentTarget.querySelector<HTMLInputElement>(`[data-field="${first}"] input`)?.focus()
    else if (save.isPending) return
    else if (isSame('name') && isSame('born') && isSame('number')) onNext(papers, 'data')
    else save.mutate(draftOf(data))
  }
  return (
    <StepFrame
      papers={papers}
      step="data"
      takesFocus={takesFocus}
      footer={
        <Button type="submit" form={formId} isWide isBusy={save.isPending}>
          {t('common.next')}
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p className="text-13 text-fg2">{t('papers.dataLead')}</p>
        <DataFields data={data} kind={papers.kind ?? 'id-card'} onChange={change} onLeave={leave} errorOf={errorOf} />
        <FormError error={save.error} />
      </form>
    </StepFrame>
  )
}
