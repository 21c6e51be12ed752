/** Batches of the journal with their hashes, snapshots, and the check of the chain. */
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { countOf, sizeOf, timeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Badge, Button, buttonClass, Card, FaultNote, useWork } from '../../parts/ui.tsx'
import { Watching } from '../../parts/watching.tsx'
import { check, journalQuery } from './queries.ts'
import type { BatchRow, Check, Journal, SnapshotRow } from '@candor/core/protocol/wire/console/journal.ts'

const words = t.watch.journal

export function JournalPage(): ReactNode {
  const { before }: { readonly before?: string } = useSearch({ strict: false })
  const query = useQuery(journalQuery(before))
  return (
    <Watching title={words.title} text={words.text} query={query} tablesOf={({ follower }) => follower}>
      {(journal) => (
        <>
          <CheckCard key={before ?? ''} journal={journal} />
          <Sheet
            {...{ title: words.batches, columns: batches, rows: journal.batches, file: '/journal/files/batches', empty: words.empty }}
            filter={{ before }}
            keyOf={({ seq }) => String(seq)}
          >
            <Pages journal={journal} before={before} />
          </Sheet>
          <Sheet
            {...{
              title: words.snapshots,
              columns: snapshots,
              rows: journal.snapshots,
              file: '/journal/files/snapshots',
              empty: words.noSnapshots,
            }}
            keyOf={({ seq }) => String(seq)}
          />
        </>
      )}
    </Watching>
  )
}

function Pages({ journal: { batches: rows }, before }: { readonly journal: Journal; readonly before: string | undefined }): ReactNode {
  const last = rows.at(-1)
  return (
    <div className="card-body first line">
      {before !== undefined && (
        <Link to="/journal" search={{}} className={buttonClass({ look: 'quiet' })}>
          {words.newest}
        </Link>
      )}
      {last !== undefined && last.first > 1 && (
        <Link to="/journal" search={{ before: String(last.seq) }} className={buttonClass({ look: 'quiet' })}>
          {words.older}
        </Link>
      )}
    </div>
  )
}

/** Checks the shown batches, or any range. */
function CheckCard({ journal: { batches: rows, follower } }: { readonly journal: Journal }): ReactNode {
  const [from, setFrom] = useState(String(rows.at(-1)?.first ?? 1))
  const [to, setTo] = useState(String(rows[0]?.seq ?? 1))
  const [found, setFound] = useState<Check>()
  const { isBusy, fault, run } = useWork(async () => setFound(await check(Number(from), Number(to))))
  return (
    <Card title={words.check}>
      <form
        className="card-body line wrap"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Place label={words.from} value={from} onChange={setFrom} />
        <Place label={words.to} value={to} onChange={setTo} />
        <Button type="submit" look="filled" disabled={isBusy}>
          {words.verify}
        </Button>
        <FaultNote cause={fault} />
        {found && <Result found={found} to={Number(to)} />}
        <span className={follower.problem === null ? 'push fg2 small' : 'push warn-text small'}>
          {follower.problem ?? words.follower(countOf(follower.seq))}
        </span>
      </form>
    </Card>
  )
}

type PlaceProps = { readonly label: string; readonly value: string; readonly onChange: (text: string) => void }

function Place({ label, value, onChange }: PlaceProps): ReactNode {
  return (
    <label className="line">
      <span className="fg2">{label}</span>
      <input
        className="input small-input tn"
        pattern="[0-9]{1,15}"
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}

function Result({ found: { checked, last, broken, ms }, to }: { readonly found: Check; readonly to: number }): ReactNode {
  const isPart = last !== null && last < to && checked > 0
  return (
    <span role="status" className={broken.length === 0 ? 'up' : 'down'}>
      {broken.length === 0 ? words.right(countOf(checked), ms) : words.wrong(broken.map(countOf).join(', '))}
      {isPart && ` ${words.part(countOf(last))}`}
    </span>
  )
}

const Hash = ({ of }: { readonly of: string }): ReactNode => <code title={of}>{`${of.slice(0, 12)}…`}</code>

const batches: readonly Column<BatchRow>[] = [
  {
    id: 'seq',
    header: t.watch.seq,
    cell: ({ seq, first }) => <span className="tn">{first === seq ? countOf(seq) : `${countOf(first)} – ${countOf(seq)}`}</span>,
  },
  { id: 'n', header: words.commands, isEnd: true, by: ({ n }) => n, cell: ({ n }) => <span className="tn">{n}</span> },
  { id: 'at', header: t.watch.time, cell: ({ at }) => <span className="tn">{timeOf(at)}</span> },
  { id: 'epoch', header: words.epoch, isEnd: true, cell: ({ epoch }) => <span className="tn">{epoch}</span> },
  { id: 'version', header: words.version, isEnd: true, cell: ({ version }) => <span className="tn">{version}</span> },
  { id: 'previous', header: words.previous, cell: ({ previous }) => <Hash of={previous} /> },
  { id: 'hash', header: words.hash, cell: ({ hash }) => <Hash of={hash} /> },
  { id: 'digest', header: words.digest, cell: ({ digest }) => <Hash of={digest} /> },
]

const snapshots: readonly Column<SnapshotRow>[] = [
  { id: 'seq', header: t.watch.seq, cell: ({ seq }) => <span className="tn">{countOf(seq)}</span> },
  { id: 'at', header: t.watch.time, cell: ({ at }) => <span className="tn">{timeOf(at)}</span> },
  { id: 'version', header: words.version, isEnd: true, cell: ({ version }) => <span className="tn">{version}</span> },
  { id: 'bytes', header: words.size, isEnd: true, cell: ({ bytes }) => <span className="tn">{sizeOf(bytes)}</span> },
  { id: 'state', header: words.state, cell: ({ state }) => <Badge>{state.slice(0, 12)}</Badge> },
  { id: 'journal', header: words.hash, cell: ({ journal }) => <Hash of={journal} /> },
]
