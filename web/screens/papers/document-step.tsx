import { useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { CountryField } from '../../parts/fields/country-field.tsx'
import { KindCards } from '../../parts/papers/kind-cards.tsx'
import { FaultNote, StepFrame } from './step-frame.tsx'
import { faultOf } from './steps.ts'
import { type StepProps, useSave } from './use-save.ts'
import { faultText } from './words.ts'

/** Which document it is, and which country issued it. */
export function DocumentStep({ papers, takesFocus, onNext }: StepProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState(papers.kind)
  const [country, setCountry] = useState(papers.country)
  const [wasSent, setWasSent] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const save = useSave('document', onNext)
  const kindFault = faultOf(papers, 'kind')
  const countryFault = faultOf(papers, 'country')
  const next = (): void => {
    setWasSent(true)
    if (kind === null || country === null) {
      body.current?.querySelector<HTMLElement>(kind === null ? 'input' : 'button')?.focus()
      return
    }
    if (save.isPending) return
    if (kind === papers.kind && country === papers.country) onNext(papers, 'document')
    else save.mutate({ kind, country })
  }
  const countryError =
    wasSent && country === null
      ? t('papers.countryMissing')
      : countryFault !== undefined && country === papers.country
        ? faultText(countryFault, t)
        : undefined
  return (
    <StepFrame
      papers={papers}
      step="document"
      takesFocus={takesFocus}
      footer={
        <Button isWide isBusy={save.isPending} onClick={next}>
          {t('common.next')}
        </Button>
      }
    >
      <div ref={body} className="flex flex-col gap-5">
        {kindFault !== undefined && kind === papers.kind && <FaultNote>{faultText(kindFault, t)}</FaultNote>}
        <KindCards kind={kind} onChange={setKind} error={wasSent && kind === null ? t('papers.kindMissing') : undefined} />
        <CountryField label={t('papers.country')} value={country} onChange={setCountry} error={countryError} />
        <FormError error={save.error} />
      </div>
    </StepFrame>
  )
}
