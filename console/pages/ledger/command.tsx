/** The lines of one command, which sum to zero. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countOf, timeOf } from '../../app/format.ts'
import { useKeys } from '../../app/keys.ts'
import { t } from '../../app/texts.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { Badge, buttonClass } from '../../parts/ui.tsx'
import { Watching } from '../../parts/watching.tsx'
import * as columns from './columns.tsx'
import { commandQuery } from './queries.ts'

const words = t.watch.ledger

export function CommandPage(): ReactNode {
  const { seq = '0' }: { readonly seq?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const query = useQuery(commandQuery(seq))
  const go = (step: number) => () =>
    void navigate({ to: '/ledger/command/$seq', params: { seq: String(Math.max(1, Number(seq) + step)) }, replace: true })
  useKeys({ j: { what: words.nextCommand, run: go(1) }, k: { what: words.previousCommand, run: go(-1) } })
  return (
    <Watching
      title={words.commandAt(countOf(Number(seq)))}
      {...(query.data?.postings[0] ? { text: `${timeOf(query.data.postings[0].at)} UTC` } : {})}
      query={query}
      tablesOf={({ tables }) => tables}
      action={
        <Link to="/ledger" className={buttonClass({ look: 'quiet' })}>
          {words.trial}
        </Link>
      }
    >
      {({ postings, sums }) => (
        <>
          <Sheet
            {...{
              title: words.postings,
              columns: columns.lines,
              rows: postings,
              file: '/ledger/files/command',
              filter: { seq },
              empty: words.noLines,
            }}
            keyOf={({ line }) => String(line)}
          />
          <p className="line">
            {sums.map(({ asset, sum }) => (
              <Badge key={asset} tone={sum === '0' ? 'ok' : 'danger'}>{`${asset} ${words.sum} ${sum}`}</Badge>
            ))}
          </p>
        </>
      )}
    </Watching>
  )
}
