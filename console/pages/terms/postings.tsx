/** Postings by hand: a form for the next one, those that wait for a second member, and those that are decided. */
import type { PostingAccount } from '@candor/core/protocol/command/funds.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { amountOf } from '../../app/format.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { say } from '../../parts/dialog.tsx'
import { Choice, TextField } from '../../parts/fields.tsx'
import { Button, Card, FaultNote, useWork } from '../../parts/ui.tsx'
import { OpenDecisions, Past } from './decisions.tsx'
import { Reason, reasonForm } from './form.tsx'
import { marketsQuery, postingCapQuery, readAgain } from './queries.ts'
import { valueOfText } from './values.ts'

export function PostingsPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.terms.postings}</h1>
      </div>
      <OpenDecisions area="postings" />
      {me?.mayDo.includes('postings.decide') && <PostingForm />}
      <Past area="postings" />
    </div>
  )
}

const customer = 'customer'
const receivers = Object.keys(t.terms.funds) as readonly PostingAccount[]
/** The first three, as the core has it: the others only receive. */
const sources = receivers.slice(0, 3)
const empty = { from: customer as string, fromUid: '', to: 'fees' as string, toUid: '', asset: 'USDT', amount: '', reason: '' }

function PostingForm(): ReactNode {
  const [draft, setDraft] = useState(empty)
  const { data } = useQuery(marketsQuery)
  const { data: today } = useQuery(postingCapQuery)
  const { from, fromUid, to, toUid, asset, reason } = draft
  const [source, target] = [from === customer ? fromUid.trim() : from, to === customer ? toUid.trim() : to]
  const amount = valueOfText('decimal', draft.amount)
  const isPlace = (place: string): boolean => /^[1-9][0-9]{8}$/.test(place) || (receivers as readonly string[]).includes(place)
  const isApart = source !== target && (from !== customer || to !== customer)
  const isReady = isPlace(source) && isPlace(target) && isApart && Number(amount) > 0 && reasonForm.test(reason)
  const { isBusy, fault, run } = useWork(async () => {
    const terms = { from: source, to: target, asset, amount }
    await change('POST', '/terms/postings', { kind: 'posting', subject: '', terms, reason: reason.trim() })
    await readAgain()
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!(await run())) return
    say(t.terms.proposedDone)
    setDraft(empty)
  }
  const set = (part: Partial<typeof empty>): void => setDraft({ ...draft, ...part })
  const assets = data?.coins.map(({ symbol }) => ({ value: symbol, label: symbol })) ?? []
  return (
    <Card title={t.terms.post}>
      <form className="card-body stack" onSubmit={submit} noValidate>
        <p className="fg2">{t.terms.postText}</p>
        <div className="line wrap pair">
          <Choice label={t.terms.names.from} value={from} options={optionsOf(sources)} onChoose={(value) => set({ from: value })} />
          {from === customer && <Uid value={fromUid} onText={(text) => set({ fromUid: text })} />}
          <Choice label={t.terms.names.to} value={to} options={optionsOf(receivers)} onChoose={(value) => set({ to: value })} />
          {to === customer && <Uid value={toUid} onText={(text) => set({ toUid: text })} />}
        </div>
        <div className="line wrap pair">
          <Choice label={t.terms.names.asset} value={asset} options={assets} onChoose={(value) => set({ asset: value })} />
          <TextField
            label={t.terms.names.amount}
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={draft.amount !== '' && amount === undefined}
            value={draft.amount}
            onText={(text) => set({ amount: text })}
          />
        </div>
        <Reason label={t.terms.reason} value={reason} onText={(text) => set({ reason: text })} />
        <p className="fg2">
          {t.terms.effects.posting} {t.terms.fourEyes}
        </p>
        {today !== undefined && <p className="tn">{t.terms.postingLeft(amountOf(today.left), amountOf(today.cap))}</p>}
        <FaultNote cause={fault} />
        <div className="line">
          <Button type="submit" look="filled" disabled={!isReady || isBusy}>
            {t.terms.submit}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Uid({ value, onText }: { readonly value: string; readonly onText: (text: string) => void }): ReactNode {
  return <TextField label={t.terms.uid} inputMode="numeric" autoComplete="off" maxLength={9} value={value} onText={onText} />
}

function optionsOf(accounts: readonly PostingAccount[]): readonly { readonly value: string; readonly label: string }[] {
  return [{ value: customer, label: t.terms.customer }, ...accounts.map((value) => ({ value, label: t.terms.funds[value] }))]
}
