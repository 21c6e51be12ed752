/** The checks, each with what was measured. */
import type { Check, OverviewState } from '@candor/core/protocol/wire/console/overview.ts'
import { Check as Tick, CircleAlert, CircleX, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ageOf, countOf, sizeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { t } from '../../app/texts.ts'

const icons = { ok: Tick, warning: CircleAlert, error: CircleX, unknown: Minus } as const
const tones = { ok: 'up', warning: 'warn-text', error: 'down', unknown: 'fg3' } as const

export function Checks({ state: { checks }, readAt }: { readonly state: OverviewState; readonly readAt: number }): ReactNode {
  const now = useNow()
  return (
    <section className="card" aria-label={t.overview.checks}>
      <div className="card-head">
        <h2>{t.overview.checks}</h2>
        <span className="fg3 small tn">{t.overview.checkedAgo(ageOf(now - readAt))}</span>
      </div>
      <ul className="checks">
        {checks.map((check) => {
          const Icon = icons[check.state]
          return (
            <li key={check.name}>
              <Icon size={14} aria-label={t.overview.checkStates[check.state]} className={tones[check.state]} />
              <span>{t.overview.checkNames[check.name]}</span>
              <span className="push fg2 tn">{valueOf(check)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function valueOf({ name, state, value, of }: Check): string {
  const { checkValues: words } = t.overview
  const count = (text: string): string => countOf(Number(text))
  if (name === 'answer') return state === 'unknown' ? words.answerNone : words.answer(value, count(of))
  if (state === 'unknown') return words.none
  if (name === 'disk') return words.disk(sizeOf(Number(value)), sizeOf(Number(of)))
  if (name === 'digests' || name === 'messages') return words[name](count(value))
  return words[name](count(value), count(of))
}
