/** The trial balance, and the way to any account and command. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { countOf, timeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { Button } from '../../parts/ui.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Watching } from '../../parts/watching.tsx'
import * as columns from './columns.tsx'
import { trialQuery } from './queries.ts'
import type { Trial } from '@candor/core/protocol/wire/console/ledger.ts'

const words = t.watch.ledger

export function LedgerPage(): ReactNode {
  const { seq }: { readonly seq?: string } = useSearch({ strict: false })
  const query = useQuery(trialQuery(seq))
  return (
    <Watching title={words.title} query={query} tablesOf={({ seq: place, at }) => ({ seq: place, at: at ?? 0 })}>
      {(trial) => (
        <>
          <Ways seq={seq} />
          <Sums trial={trial} seq={seq} />
        </>
      )}
    </Watching>
  )
}

/** Fields that lead to an account, to the lines of a command and to the trial balance after one. */
function Ways({ seq }: { readonly seq: string | undefined }): ReactNode {
  const navigate = useNavigate()
  return (
    <div className="line wrap">
      <Way
        label={words.find}
        hint={words.findHint}
        pattern="[1-9][0-9]{8}|[a-z][a-z:\-]{2,30}"
        onGo={(owner) => void navigate({ to: '/ledger/account/$owner', params: { owner } })}
      />
      <Way
        label={words.command}
        hint={words.commandHint}
        pattern="[0-9]{1,15}"
        onGo={(place) => void navigate({ to: '/ledger/command/$seq', params: { seq: place } })}
      />
      <Way
        label={words.after}
        hint={words.trialHint}
        pattern="[0-9]{1,15}"
        onGo={(place) => void navigate({ to: '/ledger', search: { seq: place } })}
      />
      {seq !== undefined && (
        <Button look="quiet" onClick={() => void navigate({ to: '/ledger', search: {} })}>
          {words.now}
        </Button>
      )}
    </div>
  )
}

type WayProps = { readonly label: string; readonly hint: string; readonly pattern: string; readonly onGo: (text: string) => void }

function Way({ label, hint, pattern, onGo }: WayProps): ReactNode {
  const [text, setText] = useState('')
  return (
    <form
      className="line"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onGo(text.trim())
      }}
    >
      <input
        className="input small-input tn"
        aria-label={label}
        placeholder={hint}
        title={hint}
        pattern={pattern}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit">{label}</Button>
    </form>
  )
}

function Sums({ trial, seq }: { readonly trial: Trial; readonly seq: string | undefined }): ReactNode {
  const { rows, assets, at, readFrom, ms } = trial
  const isEven = assets.every(({ sum }) => sum === '0')
  return (
    <>
      <p className={isEven ? 'up' : 'fault'} role={isEven ? undefined : 'alert'}>
        {isEven ? words.even(assets.length) : words.uneven}{' '}
        <span className="fg3 small">
          {at !== null && at > 0 ? `${words.afterSeq(countOf(trial.seq), timeOf(at))} · ` : ''}
          {words.took(ms, countOf(Math.abs(trial.seq - readFrom)))}
        </span>
      </p>
      <div className="two wide">
        <Sheet
          {...{
            title: words.trial,
            columns: columns.assets,
            rows: assets,
            file: '/ledger/files/assets',
            filter: { seq },
            empty: words.empty,
          }}
          keyOf={({ asset }) => asset}
        />
        <Sheet
          {...{ title: words.byAccount, columns: columns.trial, rows, file: '/ledger/files/trial', filter: { seq }, empty: words.empty }}
          keyOf={({ asset, kind, isHouse }) => `${asset} ${kind} ${isHouse}`}
        />
      </div>
    </>
  )
}
