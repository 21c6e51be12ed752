/** One request: the certified document and the one that was shown again, side by side, and the decision of two reviewers. */
import type { PaperKind } from '@candor/core/protocol/wire/papers.ts'
import { useQuery } from '@tanstack/react-query'
import { Eye, Snowflake } from 'lucide-react'
import type { ReactNode } from 'react'
import { bornOf, dateOf, languageOf, regionOf, timeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { Badge, Failed, Skeleton } from '../../parts/ui.tsx'
import { PhotoView } from '../identity/photos.tsx'
import { RecoveryBanner, RecoveryDecision } from './decision.tsx'
import { recoveryPhotoQuery, recoveryQuery } from './queries.ts'
import type { RecoveryReview, ShownDocument } from '@candor/core/protocol/wire/console/recoveries.ts'

type PaneProps = { readonly id: string; readonly me: Me }

export function RecoveryPane({ id, me }: PaneProps): ReactNode {
  const { data, error, refetch } = useQuery(recoveryQuery(id))
  if (data === undefined)
    return (
      <div className="review-none">
        {error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} height={34} />}
      </div>
    )
  return (
    <>
      <RecoveryBanner review={data} me={me} />
      <Head review={data} />
      <Papers review={data} me={me} />
      <section className="judge" aria-label={t.recoveries.fields}>
        <Fields review={data} />
        {me.mayDo.includes('recoveries.decide') && <RecoveryDecision review={data} me={me} />}
      </section>
    </>
  )
}

const tones = { sent: 'warn', waiting: 'brand', ready: 'brand' } as const

function Head({ review }: { readonly review: RecoveryReview }): ReactNode {
  const { uid, state, createdAt, device, ip, registeredAt, lang, earlier, isFrozen, dueAt } = review
  const said = [
    t.recoveries.asked(timeOf(createdAt), device, ip),
    t.recoveries.earlier(earlier),
    t.recoveries.registered(dateOf(registeredAt)),
    t.recoveries.language(languageOf(lang)),
  ]
  return (
    <header className="review-head">
      <div>
        <div className="line">
          <h2>{t.recoveries.customer(uid)}</h2>
          <Badge tone={tones[state as keyof typeof tones] ?? 'plain'}>{t.recoveries.states[state] ?? state}</Badge>
          {isFrozen && <Badge tone="danger">{t.recoveries.frozen}</Badge>}
        </div>
        <p className="fg2 small">{said.join(' · ')}</p>
        {dueAt !== null && <p className="small">{t.recoveries.due(timeOf(dueAt))}</p>}
        {isFrozen && (
          <p className="small line">
            <Snowflake size={14} aria-hidden="true" />
            {t.recoveries.frozenText}
          </p>
        )}
      </div>
    </header>
  )
}

function Papers({ review, me }: { readonly review: RecoveryReview; readonly me: Me }): ReactNode {
  const { state, now, original, sentAt } = review
  const maySee = me.mayDo.includes('recoveries.photo')
  if (state !== 'sent' || !maySee)
    return (
      <section className="papers" aria-label={t.recoveries.photos}>
        <p className="papers-none">{maySee ? t.recoveries.photosGone : t.recoveries.readOnly}</p>
      </section>
    )
  return (
    <section className="papers" aria-label={t.recoveries.photos}>
      <div className="both-papers">
        <Side
          id={review.id}
          which="original"
          title={t.recoveries.original}
          said={original && t.recoveries.certifiedOn(dateOf(original.certifiedAt))}
          shown={original}
        />
        <Side id={review.id} which="now" title={t.recoveries.now} said={t.recoveries.nowAt(timeOf(sentAt))} shown={now} />
      </div>
      <p className="papers-note line">
        <Eye size={14} aria-hidden="true" />
        {t.recoveries.recorded}
      </p>
    </section>
  )
}

type SideProps = {
  readonly id: string
  readonly which: 'now' | 'original'
  readonly title: string
  readonly said: string | null
  readonly shown: ShownDocument | null
}

function Side({ id, which, title, said, shown }: SideProps): ReactNode {
  return (
    <div className="stack">
      <p>
        <b>{title}</b> {said !== null && <span className="papers-dim small">{said}</span>}
      </p>
      {shown === null ? (
        <p className="papers-dim">{t.recoveries.thenNone}</p>
      ) : shown.photos.length === 0 ? (
        <p className="papers-dim">{t.recoveries.noPhotos}</p>
      ) : (
        shown.photos.map(({ side, width, height }) => (
          <PhotoView
            key={side}
            read={recoveryPhotoQuery(id, which, side)}
            name={t.recoveries.photoName(title, t.identity.sides[side])}
            label={t.identity.sides[side]}
            {...{ width, height }}
          />
        ))
      )}
    </div>
  )
}

const fields = ['kind', 'country', 'name', 'born', 'number'] as const
type Field = (typeof fields)[number]

function valueOf(field: Field, value: string | undefined): string {
  if (value === undefined) return '—'
  if (field === 'kind') return t.identity.kinds[value as PaperKind] ?? value
  if (field === 'country') return regionOf(value)
  return field === 'born' ? bornOf(value) : value
}

/** Both documents, field by field. Spellings that people vary, such as accents in a name, count as the same. */
function Fields({ review }: { readonly review: RecoveryReview }): ReactNode {
  const { now, original, matches } = review
  const isSame = (field: Field): boolean => {
    if (original === null) return false
    if (field === 'name') return matches.name
    if (field === 'number') return matches.document || plain(now.fields.number) === plain(original.fields.number)
    return now.fields[field] === original.fields[field]
  }
  return (
    <table className="both-fields">
      <thead>
        <tr>
          <th scope="col">{t.identity.field}</th>
          <th scope="col">{t.recoveries.original}</th>
          <th scope="col">{t.recoveries.now}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field} data-wrong={isSame(field) ? undefined : ''}>
            <th scope="row">{t.identity.fields[field]}</th>
            <td>{valueOf(field, original?.fields[field])}</td>
            <td>{valueOf(field, now.fields[field])}</td>
            <td>
              <Badge tone={isSame(field) ? 'ok' : 'danger'}>{isSame(field) ? t.recoveries.same : t.recoveries.differs}</Badge>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const plain = (number = ''): string => number.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
