import { type PaperKind, paperKinds } from '@candor/core/protocol/wire/papers.ts'
import { BookUser, Car, IdCard } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { kindText } from './words.ts'

const icons = { 'id-card': IdCard, passport: BookUser, 'driving-licence': Car } as const

/** The kinds of documents as cards, of which one is chosen. */
export function KindCards({
  kind,
  onChange,
  error,
}: {
  readonly kind: PaperKind | null
  readonly onChange: (kind: PaperKind) => void
  readonly error?: string | undefined
}) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={error === undefined ? undefined : `${id}-below`}>
      <legend className="pb-3 text-13 text-fg2">{t('papers.documentLead')}</legend>
      {paperKinds.map((one) => {
        const Icon = icons[one]
        return (
          <label
            key={one}
            className="press flex items-center gap-3.5 rounded-card border border-transparent bg-s1 p-4 has-checked:border-brand has-checked:bg-brandtint has-focus-visible:outline-2 has-focus-visible:outline-brand"
          >
            <input type="radio" name={id} value={one} checked={one === kind} onChange={() => onChange(one)} className="sr-only" />
            <span aria-hidden className="flex size-11 shrink-0 items-center justify-center rounded-control bg-brandtint text-brand">
              <Icon size={22} strokeWidth={1.75} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block text-15 font-semibold break-words">{kindText(one, t)}</span>
              <span className="block text-13 text-fg2">{one === 'passport' ? t('papers.pageOnly') : t('papers.bothSides')}</span>
            </span>
            <span
              aria-hidden
              className={`size-5 shrink-0 rounded-full ${one === kind ? 'border-6 border-brand' : 'border-[1.5px] border-fg3'}`}
            />
          </label>
        )
      })}
      {error !== undefined && (
        <p id={`${id}-below`} role="alert" className="text-12 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
