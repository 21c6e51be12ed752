/** A customer's history, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BadgeCheck, Eye, Fingerprint, KeyRound, LogIn, type LucideIcon, Snowflake, StickyNote, UserPen, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { dateOf, shortOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { Choice } from '../../parts/fields.tsx'
import { Button, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { timelineQuery } from './queries.ts'
import type { Moment } from '@candor/core/protocol/wire/console/customers.ts'

type Shown = 'all' | 'own' | 'staff'

export function TimelineCard({ uid, me }: { readonly uid: string; readonly me: Me }): ReactNode {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(timelineQuery(uid))
  const [shown, setShown] = useState<Shown>('all')
  const moments = (data?.pages.flatMap((page) => page.moments) ?? []).filter((one) => shown === 'all' || one.of === shown)
  return (
    <Card
      title={t.customers.timeline}
      action={
        <span>
          <Choice
            isBare
            label={t.customers.eventsLabel}
            value={shown}
            options={(['all', 'own', 'staff'] as const).map((value) => ({ value, label: t.customers.events[value] }))}
            onChoose={(value) => setShown(value as Shown)}
          />
        </span>
      }
    >
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={8} />
      ) : moments.length === 0 ? (
        <p className="card-body fg3">{t.customers.timelineNone}</p>
      ) : (
        <ol className="timeline">
          {moments.map((moment) => (
            <Row key={moment.id} moment={moment} me={me} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <div className="card-body">
          <Button look="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.common.more}
          </Button>
        </div>
      )}
    </Card>
  )
}

function Row({ moment, me }: { readonly moment: Moment; readonly me: Me }): ReactNode {
  const { at, of, action, ip, device, by, why } = moment
  const Icon = iconOf(action)
  const isToday = dateOf(at) === dateOf(Date.now())
  return (
    <li>
      <time className="fg3 tn" dateTime={new Date(at).toISOString()} title={`${dateOf(at)}, ${shortOf(at)} UTC`}>
        {isToday ? shortOf(at) : dateOf(at).replace(/ \d{4}$/, '')}
      </time>
      <span className={of === 'staff' ? 'dot staff' : action.endsWith('-failed') ? 'dot bad' : 'dot'}>
        <Icon size={13} aria-hidden="true" />
      </span>
      <div>
        <p>
          <Name moment={moment} me={me} />
        </p>
        <p className="fg2 small">{[by, why && `“${why}”`, device, ip].filter(Boolean).join(' · ')}</p>
      </div>
    </li>
  )
}

/** With the way to its object, where the role may open it. */
function Name({ moment: { action, about }, me }: { readonly moment: Moment; readonly me: Me }): ReactNode {
  const name = t.customers.actions[action] ?? action.charAt(0).toUpperCase() + action.slice(1).replaceAll('-', ' ')
  if (about !== null && /^(papers|revocation)-/.test(action) && me.mayDo.includes('papers.read'))
    return (
      <Link to="/identity/$id" params={{ id: about }} preload={false}>
        {name}
      </Link>
    )
  if (/^(lift-|customer-frozen)/.test(action) && me.mayDo.includes('freezes.read')) return <Link to="/freezes">{name}</Link>
  return name
}

const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^(login|logout|session|other-sessions)/, LogIn],
  [/frozen|^lift-/, Snowflake],
  [/^(papers|revocation|certif)/, BadgeCheck],
  [/^key-/, KeyRound],
  [/^(passkey|authenticator|recovery|second-factor|proven)/, Fingerprint],
  [/^(register|account-created)/, UserPlus],
  [/^contact-/, Eye],
  [/^note-/, StickyNote],
]
const iconOf = (action: string): LucideIcon => icons.find(([form]) => form.test(action))?.[1] ?? UserPen
