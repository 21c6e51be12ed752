/** The decision about a request: claimed by one member at a time, approved by as many as it needs, rejected by one. */
import { withdrawals as words } from '../../app/coin-texts.ts'
import type { VerdictShown, WithdrawalDetail, WithdrawalDone } from '@candor/core/protocol/wire/console/withdrawals.ts'
import type { WithdrawalReason } from '@candor/core/protocol/wire/withdrawal-reasons.ts'
import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { amountOf, timeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Choice, reasonMax, TextField } from '../../parts/fields.tsx'
import { Button, Card, FaultNote, useWork } from '../../parts/ui.tsx'
import { readAgain } from './queries.ts'
import { Target } from './target.tsx'

const reasons = Object.keys(words.reasons) as readonly WithdrawalReason[]
type Props = { readonly of: WithdrawalDetail; readonly me: Me }

export function Decision({ of, me }: Props): ReactNode {
  const { state, verdicts, reason, isSending, refusal } = of
  const why = (code: string): string => (t.refusals as Readonly<Record<string, string>>)[code] ?? code
  return (
    <Card title={words.decision}>
      <div className="card-body stack">
        {verdicts.map((verdict) => (
          <Verdict key={`${verdict.by}${verdict.at}`} verdict={verdict} />
        ))}
        {state !== 'requested' && verdicts.length === 0 && (
          <p className="fg2">{state === 'cancelled' ? words.cancelledText : words.automatic}</p>
        )}
        {state === 'cancelled' && verdicts.length > 0 && <p className="fg2">{words.cancelledText}</p>}
        {state === 'rejected' && reason !== null && <p>{words.readsAs(words.reasonOf(reason))}</p>}
        {isSending && <p className="fg2">{words.sending}</p>}
        {refusal !== null && state === 'requested' && <p className="fault">{words.refused(why(refusal))}</p>}
        {state === 'requested' && !isSending && <Open of={of} me={me} />}
      </div>
    </Card>
  )
}

function Verdict({ verdict: { by, at, isApproved, note } }: { readonly verdict: VerdictShown }): ReactNode {
  return (
    <div>
      <p className="line">
        <Users size={14} aria-hidden="true" />
        {isApproved ? words.approvedBy(by, timeOf(at)) : words.rejectedBy(by, timeOf(at))}
      </p>
      {note !== null && <p className="fg2">“{note}”</p>}
    </div>
  )
}

function Open({ of, me }: Props): ReactNode {
  const { id, people, approvals, claimedBy, flags } = of
  const [deed, setDeed] = useState<'approve' | 'reject'>()
  const claim = useWork(async (path: 'claim' | 'release') => {
    try {
      await change('POST', `/withdrawals/${id}/${path}`)
      if (path === 'release') say(words.released)
    } finally {
      await readAgain()
    }
  })
  const may = me.mayDo.includes('withdrawals.decide')
  const isMine = claimedBy === me.email
  const [first] = approvals
  const isGiven = approvals.includes(me.email)
  return (
    <>
      <p className="fg2">{first === undefined ? words.needs(people) : isGiven ? words.yours : words.second(first)}</p>
      {claimedBy !== null && !isMine && <p className="fg2">{words.elsewhere(claimedBy)}</p>}
      {!may ? (
        <p className="fg3">{words.mayNot}</p>
      ) : isMine ? (
        <span className="line">
          <Button look="filled" onClick={() => setDeed('approve')}>
            {words.approve}
          </Button>
          <Button isDanger onClick={() => setDeed('reject')}>
            {words.reject}
          </Button>
          <Button look="quiet" disabled={claim.isBusy} onClick={() => void claim.run('release')}>
            {words.release}
          </Button>
        </span>
      ) : (
        claimedBy === null &&
        flags !== null &&
        !isGiven && (
          <>
            <p className="fg3">{words.claimFirst}</p>
            <span className="line">
              <Button look="filled" disabled={claim.isBusy} onClick={() => void claim.run('claim')}>
                {words.claim}
              </Button>
            </span>
          </>
        )
      )}
      <FaultNote cause={claim.fault} />
      {deed === 'approve' && <Approve of={of} onClose={() => setDeed(undefined)} />}
      {deed === 'reject' && <Reject of={of} onClose={() => setDeed(undefined)} />}
    </>
  )
}

type DoProps = { readonly of: WithdrawalDetail; readonly onClose: () => void }
const sumOf = ({ amount, asset }: WithdrawalDetail): string => `${amountOf(amount)} ${asset}`

function Approve({ of, onClose }: DoProps): ReactNode {
  const act = async (): Promise<void> => {
    try {
      const { state } = await change<WithdrawalDone>('POST', `/withdrawals/${of.id}/approve`)
      say({ open: words.approvedFirst, done: words.approved, waits: words.waits }[state])
    } finally {
      await readAgain()
    }
  }
  return (
    <Ask title={words.approveTitle(sumOf(of))} text={words.approveText} action={words.approve} onDo={act} onClose={onClose}>
      <Target of={of} />
    </Ask>
  )
}

function Reject({ of, onClose }: DoProps): ReactNode {
  const [reason, setReason] = useState<WithdrawalReason>('not-asked')
  const [note, setNote] = useState('')
  const act = async (): Promise<void> => {
    try {
      const { state } = await change<WithdrawalDone>('POST', `/withdrawals/${of.id}/reject`, { reason, note: note.trim() })
      say(state === 'waits' ? words.waits : words.rejected)
    } finally {
      await readAgain()
    }
  }
  return (
    <Ask
      title={words.rejectTitle(sumOf(of))}
      text={words.rejectText}
      action={words.reject}
      isDanger
      isReady={note.trim() !== ''}
      onDo={act}
      onClose={onClose}
    >
      <Choice
        label={words.reason}
        value={reason}
        options={reasons.map((value) => ({ value, label: words.reasons[value].title }))}
        onChoose={(value) => setReason(value as WithdrawalReason)}
      />
      <p className="fg2">{words.readsAs(words.reasons[reason].reads)}</p>
      <TextField label={words.note} help={words.noteHelp} required maxLength={reasonMax} autoComplete="off" value={note} onText={setNote} />
    </Ask>
  )
}
