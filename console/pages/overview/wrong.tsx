/** Lists what is wrong. Each line has a sentence, a number beside its limit, an age, and a link to the page that deals with it. */
import type { OverviewState, Problem, ProblemKind } from '@candor/core/protocol/wire/console/overview.ts'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ageOf, amountOf, countOf, sizeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { Badge, buttonClass } from '../../parts/ui.tsx'

type Place = {
  readonly to: '/health' | '/withdrawals' | '/ledger' | '/journal' | '/markets/$subject' | '/risk' | '/second'
  readonly action: string
}
const health: Place = { to: '/health', action: 'health.read' }
const risk: Place = { to: '/risk', action: 'risk.read' }
const withdrawals: Place = { to: '/withdrawals', action: 'withdrawals.read' }
const market: Place = { to: '/markets/$subject', action: 'markets.read' }

const places: Readonly<Record<ProblemKind, Place>> = {
  ...{ engine: health, clock: health, follower: health, tables: health, silent: health, slow: health, feed: health, fallback: health },
  ...{ disk: health, queue: health, failing: health },
  books: { to: '/ledger', action: 'ledger.read' },
  chain: { to: '/journal', action: 'journal.read' },
  ...{ halted: market, phase: market },
  ...{ late: withdrawals, stuck: withdrawals },
  ...{ interest: risk, fund: risk, house: risk, pool: risk },
  paused: { to: '/second', action: 'house.read' },
}

export function Wrong({ state: { problems }, mayDo }: { readonly state: OverviewState; readonly mayDo: readonly string[] }): ReactNode {
  const count = (level: Problem['level']): number => problems.filter((one) => one.level === level).length
  const [errors, warnings] = [count('error'), count('warning')]
  return (
    <section className="card" aria-label={t.overview.wrong}>
      <div className="card-head">
        <h2>{t.overview.wrong}</h2>
        {errors > 0 && (
          <span role="img" aria-label={t.overview.errors(errors)}>
            <Badge tone="danger">{String(errors)}</Badge>
          </span>
        )}
        {warnings > 0 && (
          <span role="img" aria-label={t.overview.warnings(warnings)}>
            <Badge tone="warn">{String(warnings)}</Badge>
          </span>
        )}
        <Link to="/health" className="push">
          {t.watch.health.title}
        </Link>
      </div>
      {problems.length === 0 ? (
        <div className="problem-none">
          <CircleCheck size={18} aria-hidden="true" className="up" />
          <span>
            <b>{t.overview.nothingWrong}</b>
            <span className="fg2 small">{t.overview.nothingWrongText}</span>
          </span>
        </div>
      ) : (
        <ul className="problems">
          {problems.map((problem) => (
            <Row key={`${problem.kind} ${problem.subject}`} problem={problem} mayDo={mayDo} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ problem, mayDo }: { readonly problem: Problem; readonly mayDo: readonly string[] }): ReactNode {
  const { kind, level, ageMs, subject } = problem
  const { to, action } = places[kind]
  const [title, detail] = textsOf(problem)
  const Icon = level === 'error' ? CircleX : TriangleAlert
  return (
    <li>
      <Icon size={17} aria-label={t.overview.levels[level]} className={level === 'error' ? 'down' : 'warn-text'} />
      <span className="grow">
        <b>{title}</b>
        <span className="fg2 small tn">{detail}</span>
      </span>
      {ageMs !== null && <span className="fg2 small tn">{ageOf(ageMs)}</span>}
      {mayDo.includes(action) && (
        <Link
          to={to}
          {...(to === '/markets/$subject' ? { params: { subject } } : {})}
          className={buttonClass({ size: 'small' })}
          aria-label={t.overview.openOf(title)}
        >
          {t.overview.open}
        </Link>
      )}
    </li>
  )
}

/** The sentence and the line below it. */
function textsOf({ kind, subject, value, limit }: Problem): readonly [string, string] {
  const { title, detail } = t.overview.problems[kind]
  const [fund = '', asset = ''] = subject.split(' ')
  switch (kind) {
    case 'tables':
      return [title(countOf(Number(subject))), detail(ageOf(Number(value)), ageOf(Number(limit)))]
    case 'silent':
    case 'feed':
      return [title(subject), detail(ageOf(Number(value)), ageOf(Number(limit)))]
    case 'queue':
      return [title(t.watch.health.queueNames[subject] ?? subject), detail(ageOf(Number(value)), ageOf(Number(limit)))]
    case 'late':
      return [title(countOf(Number(subject))), detail(ageOf(Number(value)), ageOf(Number(limit)))]
    case 'slow':
      return [title(subject), detail(`${value} ms`, `${limit} ms`)]
    case 'disk':
      return [title(subject), detail(sizeOf(Number(value)), sizeOf(Number(limit)))]
    case 'fund':
    case 'house':
      return [title(t.watch.risk.fundNames[fund] ?? fund), detail(`${amountOf(value, 2)} ${asset}`, `${amountOf(limit, 2)} ${asset}`)]
    case 'interest':
      return [title(subject), detail(amountOf(value, 0), amountOf(limit, 0))]
    case 'phase':
      return [title(subject), detail(t.watch.risk.phases[value] ?? value, limit)]
    default:
      return [title(subject), detail(value, limit)]
  }
}
