/** The limits and pauses that a customer set. They are read only: nobody of the staff changes them. */
import type { OwnLimitShown, CustomerProfile } from '@candor/core/protocol/wire/console/customers.ts'
import type { ReactNode } from 'react'
import { amountOf, timeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { Badge, Card } from '../../parts/ui.tsx'

const words = t.customers.ownLimits

export function OwnLimitsCard({ profile: { own } }: { readonly profile: CustomerProfile }): ReactNode {
  const { limits, rest, minutesToday } = own
  return (
    <Card title={words.title}>
      <div className="card-body stack">
        <p className="line">
          <span>{words.rest}</span>
          <span className="push tn">
            {rest === null ? (
              <span className="fg2">{words.restNone}</span>
            ) : (
              <Badge tone="warn">{words.restUntil(words.rests[rest.cause], timeOf(rest.until))}</Badge>
            )}
          </span>
        </p>
        {!limits.some(({ kind }) => kind === 'session-day') && (
          <p className="line">
            <span>{words.timeToday}</span>
            <span className="push fg2 tn">{words.minutes(String(minutesToday))}</span>
          </p>
        )}
        {limits.length === 0 ? <p className="fg3">{words.none}</p> : limits.map((limit) => <Limit key={limit.kind} limit={limit} />)}
        <p className="fg3 small">{words.text}</p>
      </div>
    </Card>
  )
}

function Limit({ limit: { kind, value, used, next } }: { readonly limit: OwnLimitShown }): ReactNode {
  const text = (amount: string | null): string => {
    if (amount === null) return words.unlimited
    return kind === 'session-day' ? words.minutes(amount) : words.usdt(amountOf(amount, 2))
  }
  const share = used === null || value === null ? undefined : Math.min(1, Number(used) / Number(value))
  return (
    <div>
      <p className="line">
        <span>{words.kinds[kind]}</span>
        <span className="push fg2 tn">
          {share === undefined ? text(value) : words.of(kind === 'session-day' ? used! : amountOf(used!, 2), text(value))}
        </span>
      </p>
      {share !== undefined && (
        <div className={share > 0.9 ? 'bar danger' : share > 0.7 ? 'bar warn' : 'bar'} aria-hidden="true">
          <i style={{ '--share': share } as object} />
        </div>
      )}
      {next !== null && <p className="fg3 small tn">{words.raise(text(next.value), timeOf(next.at))}</p>}
    </div>
  )
}
