/** One presale: its texts, its whitepaper and its terms; `new` is the page of the next one. */
import { presales as words } from '../../app/presale-texts.ts'
import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import type { ConsolePresale, PresaleDetails, PresaleDetailsDraft, PresaleDraft } from '@candor/core/protocol/wire/console/presale.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { meQuery, queryClient } from '../../app/session.ts'
import { say } from '../../parts/dialog.tsx'
import { Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions } from '../terms/decisions.tsx'
import { TermsForm } from '../terms/form.tsx'
import { marketsQuery, readAgain } from '../terms/queries.ts'
import { TermsTable } from '../terms/table.tsx'
import type { Markets } from '../terms/wire.ts'
import { Named, TextsView } from './named.tsx'
import { canChange, State } from './page.tsx'
import { PaperForm } from './paper-form.tsx'
import { detailsQuery, numberOf, presalesQuery } from './queries.ts'
import { brokenRule } from './rules.ts'
import { detailsOf, draftOf } from './texts.ts'
import { TextsForm } from './texts-form.tsx'

const [hour, day] = [3_600_000, 86_400_000]
const paid = 'USDT'

export function PresalePage(): ReactNode {
  const { number = '' } = useParams({ strict: false }) as { readonly number?: string }
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(presalesQuery)
  const presale = data?.find(({ subject }) => numberOf(subject) === number)
  const mayDecide = me?.mayDo.includes('presales.decide') ?? false
  const isNew = number === 'new'
  return (
    <div className="page">
      <div className="page-head">
        <h1>{isNew ? words.prepare : (presale?.title ?? words.presale)}</h1>
        {presale !== undefined && <State presale={presale} />}
        <Link to="/presales" className="push">
          {words.title}
        </Link>
      </div>
      {presale !== undefined && <OpenDecisions area="presales" about={{ subject: presale.subject }} />}
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={12} />
      ) : isNew && mayDecide ? (
        <Coins>{(coins) => <NewPresale coins={coins} />}</Coins>
      ) : presale === undefined ? (
        <Empty title={words.notFound} text={words.notFoundText} />
      ) : (
        <One key={presale.subject} {...{ presale, mayDecide }} />
      )}
    </div>
  )
}

type Coin = Markets['coins'][number]

/** The coins of the exchange, which say what can be sold and how many decimals it has. */
function Coins({ children }: { readonly children: (coins: readonly Coin[]) => ReactNode }): ReactNode {
  const { data, error, refetch } = useQuery(marketsQuery)
  if (data !== undefined) return children(data.coins)
  return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton />
}

function NewPresale({ coins }: { readonly coins: readonly Coin[] }): ReactNode {
  const [draft, setDraft] = useState(() => draftOf())
  const navigate = useNavigate()
  const keep = async (details: PresaleDetails): Promise<void> => {
    const { number } = await keepTexts({ details })
    say(words.kept)
    await navigate({ to: '/presales/$number', params: { number: String(number) }, replace: true })
  }
  const tokens = coins.map(({ symbol }) => symbol).filter((symbol) => symbol !== paid)
  return (
    <>
      <TextsForm {...{ draft, tokens }} isKept={false} onDraft={setDraft} onKeep={keep} />
      <p className="fg2">{words.keepFirst}</p>
    </>
  )
}

async function keepTexts(draft: PresaleDetailsDraft): Promise<PresaleDraft> {
  const made = await change<PresaleDraft>('POST', '/presales/details', draft)
  // Known before the list names them, so that the form stays as it is.
  queryClient.setQueryData(detailsQuery(made.hash).queryKey, draft.details)
  await readAgain()
  return made
}

type OneProps = { readonly presale: ConsolePresale; readonly mayDecide: boolean }

function One({ presale, mayDecide }: OneProps): ReactNode {
  const { data, error, refetch } = useQuery(detailsQuery(presale.hash))
  if (data === undefined) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton rows={12} />
  if (mayDecide && canChange(presale)) return <Coins>{(coins) => <Form {...{ presale, coins }} start={data} />}</Coins>
  const { terms, assets } = presale
  return (
    <>
      {mayDecide && <p className="fg2">{words.hasBegun}</p>}
      <Card title={words.texts}>
        <div className="card-body">
          <TextsView details={data} />
        </div>
      </Card>
      {terms !== null && (
        <Card title={words.terms} action={<Files terms={terms} />}>
          <TermsTable kind="presale" {...{ terms, assets }} />
        </Card>
      )}
    </>
  )
}

/** Texts and whitepaper that the terms name. */
function Files({ terms }: { readonly terms: Terms }): ReactNode {
  const named = (['detailsHash', 'documentHash'] as const).filter((name) => terms[name] !== '')
  return (
    <span className="line">
      {named.map((name) => (
        <Named key={name} name={name} hash={terms[name] as string} />
      ))}
    </span>
  )
}

type FormProps = { readonly presale: ConsolePresale; readonly start: PresaleDetails; readonly coins: readonly Coin[] }
type Kept = { readonly hash: string; readonly details: PresaleDetails }

function Form({ presale: { subject, hash, assets, terms }, start, coins }: FormProps): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(start))
  const [kept, setKept] = useState<Kept>({ hash, details: start })
  const [paper, setPaper] = useState(String(terms?.['documentHash'] ?? ''))
  const isKept = JSON.stringify(detailsOf(draft)) === JSON.stringify(detailsOf(draftOf(kept.details)))
  const keep = async (details: PresaleDetails): Promise<void> => {
    const made = await keepTexts({ number: Number(numberOf(subject)), details })
    setKept({ hash: made.hash, details })
    say(words.kept)
  }
  const token = start.token
  const scaleOf = (symbol: string): number => coins.find((coin) => coin.symbol === symbol)?.scale ?? 0
  const problemsOf = (wished: Terms): readonly string[] => {
    const rule = brokenRule(wished, { usdt: scaleOf(paid), token: scaleOf(token) }, Date.now())
    return rule === undefined ? [] : [rule === 'digits' ? words.rules.digits(token) : words.rules[rule]]
  }
  return (
    <>
      <TextsForm {...{ draft, isKept }} tokens={undefined} onDraft={setDraft} onKeep={keep} />
      {!isKept && <p className="fg2">{words.keepFirst}</p>}
      {/* Stays while texts change, so that typed terms are not lost. */}
      <div className="stack" hidden={!isKept}>
        <PaperForm hash={paper} onHash={setPaper} />
        <TermsForm
          title={words.terms}
          {...{ area: 'presales', kind: 'presale', subject, now: terms, assets, problemsOf }}
          start={terms ?? firstTerms(token, Date.now())}
          given={{ token, detailsHash: kept.hash, documentHash: paper }}
        />
      </div>
    </>
  )
}

/** The form’s values before anybody has set terms: a week that begins at noon, a day and a half from the next midnight on. */
function firstTerms(token: string, now: number): Terms {
  const startsAt = Math.ceil(now / day) * day + 36 * hour
  return {
    ...{ token, pricePay: '', pricePer: '1', supply: '', purchaseLimit: '', subscriptionMin: '', subscriptionMax: '', softCap: '0' },
    ...{ startsAt, endsAt: startsAt + 7 * day, atListingPpm: 200_000, release: 'linear', lockDays: 30, steps: [] },
    ...{ documentHash: '', detailsHash: '' },
  }
}
