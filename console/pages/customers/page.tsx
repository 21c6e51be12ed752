/** One customer: who it is and what can be done, facts, cards, and the timeline. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Copy, User } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ageOf, amountOf, dateOf, regionOf, timeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { say } from '../../parts/dialog.tsx'
import { Failed, Skeleton } from '../../parts/ui.tsx'
import { Actions, Reveal } from './actions.tsx'
import { LimitsCard, NotesCard, SessionsCard } from './cards.tsx'
import { OwnLimitsCard } from './own-limits.tsx'
import { Badges } from './list.tsx'
import { MoneyBeside, MoneyCards } from './money.tsx'
import { moneyQuery, profileQuery } from './queries.ts'
import { TimelineCard } from './timeline.tsx'
import type { Contact, Money, CustomerProfile } from '@candor/core/protocol/wire/console/customers.ts'

export function CustomerPage(): ReactNode {
  const { uid = '' } = useParams({ strict: false })
  const { data: me } = useSuspenseQuery(meQuery)
  const profile = useQuery(profileQuery(uid))
  const money = useQuery(moneyQuery(uid))
  if (profile.error && profile.data === undefined) return <Failed cause={profile.error} onRetry={() => void profile.refetch()} />
  if (profile.data === undefined || me === null) return <Skeleton rows={12} />
  return (
    <div className="customer" key={uid}>
      <Head profile={profile.data} money={money.data ?? undefined} me={me} />
      <div className="customer-body">
        <MoneyCards uid={uid} />
        <div className="stack">
          <MoneyBeside uid={uid} />
          <SessionsCard profile={profile.data} />
          <LimitsCard profile={profile.data} money={money.data ?? undefined} />
          <OwnLimitsCard profile={profile.data} />
          <NotesCard profile={profile.data} mayAdd={me.mayDo.includes('customers.note')} />
        </div>
        <TimelineCard uid={uid} me={me} />
      </div>
    </div>
  )
}

type HeadProps = { readonly profile: CustomerProfile; readonly money: Money | undefined; readonly me: Me }

/** Stays at the top. Addresses that were revealed are forgotten with the page. */
function Head({ profile, money, me }: HeadProps): ReactNode {
  const { uid, email, phone, createdAt, frozen, staff } = profile
  const [contact, setContact] = useState<Contact>()
  const shown = contact ?? { email, phone }
  useEffect(() => () => setContact(undefined), [])
  return (
    <header className="customer-head">
      <div className="line">
        <span className="face">
          <User size={20} aria-hidden="true" />
        </span>
        <div className="who-line">
          <div className="line">
            <h1 className="tn">{t.customers.name(uid)}</h1>
            <button
              type="button"
              className="icon-button fg3"
              aria-label={t.customers.copy}
              title={t.customers.copy}
              onClick={() => void navigator.clipboard.writeText(uid).then(() => say(t.customers.copied))}
            >
              <Copy size={14} aria-hidden="true" />
            </button>
            <Badges row={{ ...profile, frozenAt: frozen?.at ?? null, isStaff: staff.length > 0 }} />
          </div>
          <p className="fg2 line wrap">
            <span className="tn">{[shown.email, shown.phone].filter((one) => one !== null).join(' · ')}</span>
            {profile.firm !== undefined && (
              <Link to="/firms/$number" params={{ number: String(profile.firm.number) }} preload={false}>
                {t.customers.ofFirm(profile.firm.name, profile.firm.label)}
              </Link>
            )}
            <span>{profile.region === null ? t.customers.noRegion : regionOf(profile.region)}</span>
            <span>{t.customers.since(dateOf(createdAt))}</span>
            {me.mayDo.includes('customers.reveal') && <Reveal uid={uid} isShown={contact !== undefined} onReveal={setContact} />}
          </p>
        </div>
        <span className="push">
          <Actions profile={profile} me={me} />
        </span>
      </div>
      <Facts profile={profile} money={money} />
    </header>
  )
}

function Facts({ profile, money }: Omit<HeadProps, 'me'>): ReactNode {
  const now = useNow(30_000)
  const { certification, papers, createdAt, lastSeenAt, frozen, withdrawalsClosedUntil, staff } = profile
  const f = t.customers.facts
  const decided = papers === null ? '' : papers.decidedAt === null ? t.customers.sentOn(dateOf(papers.sentAt)) : dateOf(papers.decidedAt)
  return (
    <dl className="customer-facts" aria-label={f.label}>
      <Fact name={f.certification} value={t.customers.certifications[certification]} more={decided} />
      <Fact name={f.ceiling} {...ceilingOf(money)} />
      <Fact name={f.registered} value={dateOf(createdAt)} more={timeOf(createdAt).split(', ')[1] ?? ''} />
      <Fact name={f.seen} value={lastSeenAt === null ? t.customers.seenNever : t.common.ago(ageOf(now - lastSeenAt))} />
      <Fact
        name={f.volume}
        value={money === undefined ? '—' : `${amountOf(money.volumeUsdt, 2)} USDT`}
        more={money === undefined ? '' : t.customers.tierOf(money.tier, money.makerFee, money.takerFee)}
      />
      <Fact name={f.worth} value={money === undefined ? '—' : `${amountOf(money.worthUsdt, 2)} USDT`} />
      <Fact
        name={f.frozen}
        value={frozen === null ? t.customers.nothingFrozen : t.customers.frozenSince(ageOf(now - frozen.at))}
        more={withdrawalsClosedUntil === null ? (frozen?.reason ?? '') : t.customers.withdrawals(ageOf(withdrawalsClosedUntil - now))}
        isLoud={frozen !== null}
      />
      <Fact
        name={f.staff}
        value={staff.length === 0 ? t.customers.staffNone : staff.map((one) => t.customers.staffOf(one.email)).join(', ')}
        more={staff[0] === undefined ? '' : t.customers.staffText[staff[0].cause]}
      />
    </dl>
  )
}

function ceilingOf(money: Money | undefined): { readonly value: string; readonly more: string } {
  if (money === undefined) return { value: '—', more: '' }
  const { ceiling } = money
  if (ceiling === null) return { value: t.customers.noCeiling, more: '' }
  const { leverage, reason, until } = ceiling
  const more = reason === 'region' || until === null ? t.customers.ceilings.region : t.customers.ceilings.new(dateOf(until))
  return { value: `${leverage}×`, more }
}

type FactProps = { readonly name: string; readonly value: string; readonly more?: string; readonly isLoud?: boolean }

function Fact({ name, value, more = '', isLoud = false }: FactProps): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isLoud ? 'tn loud' : 'tn'} title={value}>
        {value}
      </dd>
      {more !== '' && (
        <dd className="more" title={more}>
          {more}
        </dd>
      )}
    </div>
  )
}
