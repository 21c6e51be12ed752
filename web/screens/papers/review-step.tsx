import { ApiError } from '@candor/client/errors.ts'
import { type PaperField, sidesOf, type WirePapers } from '@candor/core/protocol/wire/papers.ts'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { tick } from '../../app/haptics.ts'
import { navigate } from '../../app/location.ts'
import { refreshMe } from '../../app/me.ts'
import { useTranslation } from '../../app/translate.ts'
import { keepPapers, papers as calls } from '../../parts/account/papers.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { useCountryName } from '../../parts/fields/country-field.tsx'
import { useSavedPhoto } from './photos.ts'
import { StepFrame } from './step-frame.tsx'
import { faultOf, type Step, stepOf } from './steps.ts'
import { readIfLocked } from './use-save.ts'
import { useDay } from './use-day.ts'
import { kindText } from '../../parts/papers/words.ts'
import { faultText, fieldText } from './words.ts'

/** Everything that will be sent, with a way back to each part. */
export function ReviewStep({
  papers,
  takesFocus,
  onOpen,
}: {
  readonly papers: WirePapers
  readonly takesFocus: boolean
  readonly onOpen: (step: Step) => void
}) {
  const { t } = useTranslation()
  const countryName = useCountryName()
  const day = useDay()
  const { kind, country, name, born, number } = papers
  const send = useMutation({
    mutationFn: () => calls.send(),
    onSuccess(next) {
      tick(12)
      navigate('/kyc', { replace: true })
      keepPapers(next)
      void refreshMe()
    },
    onError: readIfLocked,
  })
  const lacking = send.error instanceof ApiError ? send.error.field : undefined
  return (
    <StepFrame
      papers={papers}
      step="review"
      takesFocus={takesFocus}
      footer={
        <Button isWide isBusy={send.isPending} onClick={() => send.mutate()}>
          {t('papers.send')}
        </Button>
      }
    >
      <p className="text-13 text-fg2">{t('papers.reviewLead')}</p>
      <dl className="overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">
        <Line papers={papers} field="kind" lacking={lacking} onOpen={onOpen}>
          {kind === null ? '' : kindText(kind, t)}
        </Line>
        <Line papers={papers} field="country" lacking={lacking} onOpen={onOpen}>
          {country === null ? '' : countryName(country)}
        </Line>
        <Line papers={papers} field="name" lacking={lacking} onOpen={onOpen}>
          {name}
        </Line>
        <Line papers={papers} field="born" lacking={lacking} onOpen={onOpen}>
          {born === null ? '' : day(born)}
        </Line>
        <Line papers={papers} field="number" lacking={lacking} onOpen={onOpen}>
          <span className="tn">{number}</span>
        </Line>
        {sidesOf(kind ?? 'id-card').map((side) => (
          <Line key={side} papers={papers} field={side} lacking={lacking} onOpen={onOpen}>
            <Thumbnail papers={papers} side={side} />
          </Line>
        ))}
      </dl>
      <FormError error={send.error} />
    </StepFrame>
  )
}

function Line({
  papers,
  field,
  lacking,
  onOpen,
  children,
}: {
  readonly papers: WirePapers
  readonly field: PaperField
  /** The field that the exchange refused. */
  readonly lacking: string | undefined
  readonly onOpen: (step: Step) => void
  readonly children: ReactNode
}) {
  const { t } = useTranslation()
  const fault = faultOf(papers, field)
  const label = fieldText(field, papers.kind, t)
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2.5 ps-4 pe-2 ${lacking === field ? 'bg-dangertint' : ''}`}
    >
      <dt className="text-12 text-fg2">{label}</dt>
      <dd className="text-15 font-medium break-words">
        {children}
        {fault !== undefined && <span className="block pt-0.5 text-12 font-normal text-danger">{faultText(fault, t)}</span>}
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <button
          type="button"
          aria-label={t('papers.changeOf', { what: label })}
          onClick={() => onOpen(stepOf(field))}
          className="min-h-11 px-2 text-13 font-semibold text-brand"
        >
          {t('papers.change')}
        </button>
      </dd>
    </div>
  )
}

function Thumbnail({ papers, side }: { readonly papers: WirePapers; readonly side: 'front' | 'back' }) {
  const { t } = useTranslation()
  const { url, isLost } = useSavedPhoto(papers.photos.find((photo) => photo.side === side))
  if (isLost) return <span className="text-13 font-normal text-fg2">{t('papers.notShown')}</span>
  return (
    <span className="mt-1 block h-20 w-32 overflow-hidden rounded-chip bg-s2">
      {url !== undefined && (
        <img src={url} alt={t('papers.photoOf', { what: fieldText(side, papers.kind, t) })} className="size-full object-contain" />
      )}
    </span>
  )
}
