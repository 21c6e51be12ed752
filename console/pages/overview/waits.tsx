/** Open work, with the age of the oldest item beside its target. */
import type { Overview, WorkKind } from '@candor/core/protocol/wire/console/overview.ts'
import { Link } from '@tanstack/react-router'
import {
  ArrowDownToLine,
  ArrowRight,
  ArrowUpFromLine,
  Headset,
  IdCard,
  KeyRound,
  type LucideIcon,
  Scale,
  Radar,
  ShieldAlert,
  Snowflake,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { ageOf, countOf, hours } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { buttonClass, Kbd } from '../../parts/ui.tsx'

type Work = {
  readonly kind: WorkKind
  readonly icon: LucideIcon
  readonly to:
    | '/withdrawals'
    | '/deposits'
    | '/identity'
    | '/support'
    | '/recoveries'
    | '/identity/revocations'
    | '/freezes'
    | '/surveillance'
    | '/decisions'
    | '/staff'
  readonly hotkey: string
  /** Decisions are wanted within this time. */
  readonly targetMs: number
  /** The action of the table of permissions that decides about it. */
  readonly decides: readonly string[]
}

/** All kinds of work, the most urgent first. */
const works: readonly Work[] = [
  { kind: 'withdrawals', icon: ArrowUpFromLine, to: '/withdrawals', hotkey: 'W', targetMs: hours(24), decides: ['withdrawals.decide'] },
  { kind: 'deposits', icon: ArrowDownToLine, to: '/deposits', hotkey: 'U', targetMs: hours(24), decides: ['deposits.decide'] },
  { kind: 'papers', icon: IdCard, to: '/identity', hotkey: 'I', targetMs: hours(24), decides: ['papers.decide'] },
  { kind: 'recoveries', icon: KeyRound, to: '/recoveries', hotkey: 'L', targetMs: hours(24), decides: ['recoveries.decide'] },
  { kind: 'revocations', icon: ShieldAlert, to: '/identity/revocations', hotkey: 'R', targetMs: hours(4), decides: ['papers.revoke'] },
  { kind: 'lifts', icon: Snowflake, to: '/freezes', hotkey: 'F', targetMs: hours(4), decides: ['customers.unfreeze'] },
  { kind: 'surveillance', icon: Radar, to: '/surveillance', hotkey: 'V', targetMs: hours(24), decides: ['surveillance.decide'] },
  { kind: 'tickets', icon: Headset, to: '/support', hotkey: 'Z', targetMs: hours(4), decides: ['support.answer'] },
  {
    ...{ kind: 'operations', icon: Scale, to: '/decisions', hotkey: 'D', targetMs: hours(4) },
    decides: ['markets.decide', 'fees.decide', 'countries.decide', 'house.decide', 'postings.decide'],
  },
  { kind: 'proposals', icon: Users, to: '/staff', hotkey: 'S', targetMs: hours(4), decides: ['staff.decide'] },
]

type WaitsProps = { readonly overview: Overview; readonly mayDo: readonly string[] }

/** A card for each kind of work that the role may read. The filled button belongs to the first one that waits for this member. */
export function Waits({ overview, mayDo }: WaitsProps): ReactNode {
  const shown = works.flatMap((work) => {
    const found = overview[work.kind]
    return found === null ? [] : [{ work, ...found, mayDecide: work.decides.some((action) => mayDo.includes(action)) }]
  })
  const first = shown.find(({ waiting, mayDecide }) => waiting > 0 && mayDecide)
  return (
    <div className="waits">
      {shown.map((one) => (
        <WaitsCard key={one.work.kind} {...one} isFilled={one === first} />
      ))}
    </div>
  )
}

type CardProps = {
  readonly work: Work
  readonly waiting: number
  readonly oldestAgeMs: number | null
  readonly mayDecide: boolean
  readonly isFilled: boolean
}

function WaitsCard({ work, waiting, oldestAgeMs, mayDecide, isFilled }: CardProps): ReactNode {
  const { kind, icon: Icon, to, hotkey, targetMs } = work
  const { title, text, action } = t.overview.work[kind]
  const share = waiting === 0 ? 0 : Math.min(1, (oldestAgeMs ?? 0) / targetMs)
  const tone = share >= 1 ? ' danger' : share >= 0.6 ? ' warn' : ''
  return (
    <section className="card wait" aria-label={title}>
      <div className="line">
        <Icon size={15} aria-hidden="true" />
        <h2>{title}</h2>
        <span className="line push fg3">
          <Kbd>G</Kbd>
          <Kbd>{hotkey}</Kbd>
        </span>
      </div>
      <div className="line">
        <span className="big tn" data-count="">
          {countOf(waiting)}
        </span>
        <div className="wait-age">
          <div className="line small fg2">
            <span className={share >= 1 ? 'down' : undefined}>
              {waiting === 0 ? t.overview.none : oldestAgeMs === null ? '' : t.overview.oldest(ageOf(oldestAgeMs))}
            </span>
            <span className="push">{t.overview.target(ageOf(targetMs))}</span>
          </div>
          <div className={`bar${tone}`} aria-hidden="true">
            <i style={{ '--share': share } as object} />
          </div>
        </div>
      </div>
      <p className="fg2 small">{text}</p>
      <div className="line wait-action">
        <Link to={to} className={buttonClass(isFilled ? { look: 'filled' } : {})}>
          {mayDecide && waiting > 0 ? action : t.overview.open}
          <ArrowRight size={14} aria-hidden="true" />
        </Link>
      </div>
    </section>
  )
}
