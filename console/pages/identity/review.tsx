/** One check: its photos beside what the customer typed, a verdict per field, and the decision. */
import type { PaperField, PaperReason } from '@candor/core/protocol/wire/papers.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { ageOf, languageOf, shortOf, yearsOf } from '../../app/format.ts'
import { useKeys } from '../../app/keys.ts'
import { reviewQuery } from '../../app/queries.ts'
import { queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Me, Review } from '../../app/wire.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Badge, Button, Failed, FaultNote, Skeleton, useWork } from '../../parts/ui.tsx'
import { Decision } from './decision.tsx'
import { Fields } from './fields.tsx'
import { Photos } from './photos.tsx'
import { fieldsOf, judged, reasoned, type Verdicts } from './verdicts.ts'

type PaneProps = { readonly id: string; readonly me: Me; readonly onNext: () => void }

export function ReviewPane({ id, me, onNext }: PaneProps): ReactNode {
  const { data, error, refetch } = useQuery(reviewQuery(id))
  if (error && data === undefined)
    return (
      <div className="review-none">
        <Failed cause={error} onRetry={() => void refetch()} />
      </div>
    )
  if (data === undefined)
    return (
      <div className="review-none">
        <Skeleton rows={8} height={34} />
      </div>
    )
  return <ReviewOf review={data} me={me} onNext={onNext} />
}

/** The review again, and the counts that depend on it. */
async function renew(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['papers', 'review', id] }),
    queryClient.invalidateQueries({ queryKey: ['papers', 'queue'] }),
    queryClient.invalidateQueries({ queryKey: ['overview'] }),
  ])
}

type ReviewOfProps = { readonly review: Review; readonly me: Me; readonly onNext: () => void }

function ReviewOf({ review, me, onNext }: ReviewOfProps): ReactNode {
  const { id, uid } = review
  const isMine = review.state === 'waiting' && review.claimedBy === me.email
  const mayClaim = review.state === 'waiting' && me.mayDo.includes('papers.claim')
  const fields = fieldsOf(review)
  const [verdicts, setVerdicts] = useState<Verdicts>({})
  const [chosen, setChosen] = useState<PaperField>('kind')
  const claim = useWork(async (path: 'claim' | 'release') => {
    try {
      await change('POST', `/papers/${id}/${path}`)
      if (path === 'release') say(t.identity.released)
    } finally {
      await renew(id)
    }
  })
  const judge = (field: PaperField, isRight: boolean): void => {
    setVerdicts((before) => judged(before, field, isRight))
    const next = fields[fields.indexOf(field) + 1]
    setChosen(isRight && next !== undefined ? next : field)
  }
  useKeys(
    isMine
      ? {
          ...Object.fromEntries(
            fields.map((field, at) => [String(at + 1), { what: `${t.identity.selectField} ${at + 1}`, run: () => setChosen(field) }]),
          ),
          y: { what: t.identity.yes, run: () => judge(chosen, true) },
          n: { what: t.identity.no, run: () => judge(chosen, false) },
          u: { what: t.identity.release, run: () => void claim.run('release') },
        }
      : mayClaim && review.claimedBy === null
        ? { c: { what: t.identity.claim, run: () => void claim.run('claim') } }
        : {},
  )
  return (
    <>
      <Head review={review} me={me}>
        {isMine ? (
          <Button hotkey="U" disabled={claim.isBusy} onClick={() => void claim.run('release')}>
            {t.identity.release}
          </Button>
        ) : (
          mayClaim && (
            <Button look="filled" hotkey="C" disabled={claim.isBusy || review.claimedBy !== null} onClick={() => void claim.run('claim')}>
              {t.identity.claim}
            </Button>
          )
        )}
        <Button hotkey="J" onClick={onNext}>
          {t.identity.next}
        </Button>
        <FaultNote cause={claim.fault} />
      </Head>
      <Photos review={review} isMine={isMine} mayClaim={mayClaim} />
      <section className="judge" aria-label={t.identity.customer(uid)}>
        <Fields
          {...{ review, fields, verdicts, chosen, isMine, onChoose: setChosen, onJudge: judge }}
          onReason={(field: PaperField, reason: PaperReason) => setVerdicts((before) => reasoned(before, field, reason))}
        />
        <Earlier review={review} />
        {isMine && <Decision {...{ id, uid, fields, verdicts }} onDone={() => renew(id)} />}
      </section>
    </>
  )
}

type HeadProps = { readonly review: Review; readonly me: Me; readonly children: ReactNode }
const tones = { waiting: 'warn', rejected: 'danger', certified: 'ok', revoked: 'danger' } as const

function Head({ review, me, children }: HeadProps): ReactNode {
  const { uid, state, claimedBy, sentAt, before, lang, fields, sameDocument } = review
  const [isRevoking, setRevoking] = useState(false)
  const said = [
    t.identity.attempt(before.length),
    t.identity.sentAt(shortOf(sentAt)),
    ...(fields.born === undefined ? [] : [t.identity.age(yearsOf(fields.born, sentAt))]),
    t.identity.language(languageOf(lang)),
    ...(sameDocument.length === 0 ? [t.identity.unique] : []),
  ]
  return (
    <header className="review-head">
      <div>
        <div className="line">
          <h2>{t.identity.customer(uid)}</h2>
          {state !== 'waiting' && <Badge tone={tones[state]}>{t.identity.states[state]}</Badge>}
          {state === 'waiting' && claimedBy !== null && (
            <Badge tone={claimedBy === me.email ? 'brand' : 'plain'}>
              {claimedBy === me.email ? t.identity.claimedByYou : t.identity.claimedBy(claimedBy)}
            </Badge>
          )}
        </div>
        <p className="fg2 small">{said.join(' · ')}</p>
        {sameDocument.length > 0 && (
          <p className="small">
            <Badge tone="danger">{t.identity.same(sameDocument.map((same) => `${same.uid} (${same.state})`).join(', '))}</Badge>
          </p>
        )}
      </div>
      <div className="line push">
        {state === 'certified' && me.mayDo.includes('papers.revoke') && (
          <Button isDanger onClick={() => setRevoking(true)}>
            {t.identity.revoke}
          </Button>
        )}
        {children}
      </div>
      {isRevoking && <Revoke review={review} onClose={() => setRevoking(false)} />}
    </header>
  )
}

function Revoke({ review: { id, uid }, onClose }: { readonly review: Review; readonly onClose: () => void }): ReactNode {
  const propose = async (reason: string): Promise<void> => {
    await change('POST', `/papers/${id}/revocation`, { reason })
    await queryClient.invalidateQueries({ queryKey: ['papers', 'revocations'] })
    say(t.identity.revokeProposed)
  }
  return (
    <Ask
      {...{ title: t.identity.revokeTitle(uid), text: t.identity.revokeText, action: t.staff.submit, isDanger: true, hasReason: true }}
      onDo={propose}
      onClose={onClose}
    />
  )
}

function Earlier({ review: { before } }: { readonly review: Review }): ReactNode {
  if (before.length === 0) return null
  return (
    <div className="earlier">
      <h3 className="fg2 small">{t.identity.before}</h3>
      {before.map(({ id, state, decidedAt, faults }) => (
        <p key={id} className="small">
          <Badge tone="plain">{t.identity.states[state as keyof typeof t.identity.states] ?? state}</Badge>{' '}
          <span className="fg2">
            {decidedAt === null ? '' : t.common.ago(ageOf(Date.now() - decidedAt))}
            {faults.map(({ field, reason }) => ` · ${t.identity.fields[field]}: ${t.identity.reasons[reason]}`)}
          </span>
        </p>
      ))}
    </div>
  )
}
