/** The fields of a check with a verdict each. A "no" opens its reasons, and shows what the customer will read. */
import { type PaperField, type PaperReason, paperReasons } from '@candor/core/protocol/wire/papers.ts'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { faultTexts } from 'virtual:fault-texts'
import { bornOf, languageOf, regionOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Review } from '../../app/wire.ts'
import { Kbd } from '../../parts/ui.tsx'
import type { Verdict, Verdicts } from './verdicts.ts'

type FieldsProps = {
  readonly review: Review
  readonly fields: readonly PaperField[]
  readonly verdicts: Verdicts
  readonly chosen: PaperField
  /** Whether verdicts can be given. */
  readonly isMine: boolean
  readonly onChoose: (field: PaperField) => void
  readonly onJudge: (field: PaperField, isRight: boolean) => void
  readonly onReason: (field: PaperField, reason: PaperReason) => void
}

export function Fields(props: FieldsProps): ReactNode {
  const { fields, review, isMine } = props
  return (
    <div className="judge-fields">
      <div className="judge-head">
        <span />
        <span>{t.identity.field}</span>
        <span>{t.identity.typed}</span>
        {isMine && <span>{t.identity.verdict}</span>}
      </div>
      {fields.map((field, at) => (
        <Field key={field} {...props} field={field} number={at + 1} value={valueOf(review, field)} />
      ))}
    </div>
  )
}

function valueOf({ fields, photos }: Review, field: PaperField): string {
  if (field === 'front' || field === 'back') {
    const photo = photos.find(({ side }) => side === field)
    return photo === undefined ? '–' : `${photo.width} × ${photo.height}`
  }
  const value = fields[field]
  if (value === undefined) return '–'
  if (field === 'kind') return t.identity.kinds[value as keyof typeof t.identity.kinds]
  if (field === 'country') return regionOf(value)
  return field === 'born' ? bornOf(value) : value
}

type FieldProps = FieldsProps & { readonly field: PaperField; readonly number: number; readonly value: string }

function Field({ field, number, value, review, verdicts, chosen, isMine, onChoose, onJudge, onReason }: FieldProps): ReactNode {
  const verdict = verdicts[field]
  const name = t.identity.fields[field]
  return (
    <div
      className="judge-row"
      data-chosen={isMine && field === chosen ? '' : undefined}
      data-wrong={verdict?.isRight === false ? '' : undefined}
    >
      <div className="judge-line">
        <span className="fg2">
          <Kbd>{String(number)}</Kbd>
        </span>
        {isMine ? (
          <button type="button" className="judge-name" onClick={() => onChoose(field)}>
            {name}
          </button>
        ) : (
          <span className="fg2">{name}</span>
        )}
        <b className="judge-value">{value}</b>
        {isMine && <YesNo {...{ name, verdict }} onJudge={(isRight) => onJudge(field, isRight)} />}
      </div>
      {verdict?.isRight === false && (
        <div className="judge-reasons">
          <div className="line wrap" role="group" aria-label={t.identity.reasonsFor(name)}>
            {(paperReasons[field] as readonly PaperReason[]).map((reason) => (
              <button
                key={reason}
                type="button"
                className="chip"
                aria-pressed={verdict.reason === reason}
                onClick={() => onReason(field, reason)}
              >
                {verdict.reason === reason && <Check size={13} aria-hidden="true" />}
                {t.identity.reasons[reason]}
              </button>
            ))}
          </div>
          {verdict.reason !== undefined && <CustomerReads lang={review.lang} field={field} reason={verdict.reason} />}
        </div>
      )}
    </div>
  )
}

type YesNoProps = { readonly name: string; readonly verdict: Verdict | undefined; readonly onJudge: (isRight: boolean) => void }

function YesNo({ name, verdict, onJudge }: YesNoProps): ReactNode {
  return (
    <span className="yes-no">
      <button
        type="button"
        className="yes"
        aria-label={t.identity.right(name)}
        aria-pressed={verdict?.isRight === true}
        onClick={() => onJudge(true)}
      >
        <Check size={15} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="no"
        aria-label={t.identity.wrong(name)}
        aria-pressed={verdict?.isRight === false}
        onClick={() => onJudge(false)}
      >
        <X size={15} aria-hidden="true" />
      </button>
    </span>
  )
}

type ReadsProps = { readonly lang: string; readonly field: PaperField; readonly reason: PaperReason }

/** The sentence of the phone app, in the customer's language. */
function CustomerReads({ lang, field, reason }: ReadsProps): ReactNode {
  const known = lang in faultTexts ? lang : 'en'
  const { data } = useQuery({ queryKey: ['fault-texts', known], queryFn: () => faultTexts[known]!(), staleTime: Infinity })
  const part = data?.default[field === 'front' || field === 'back' ? 'photo' : field]
  const sentence = typeof part === 'object' ? (part[reason] ?? data?.default.other) : data?.default.other
  return (
    <div className="customer-reads">
      <span className="fg2 small">{t.identity.reads(languageOf(known))}</span>
      <p lang={tagOf(known)}>{sentence}</p>
    </div>
  )
}

const tagOf = (lang: string): string => ({ hk: 'zh-Hant-HK', ca: 'es' })[lang] ?? lang
