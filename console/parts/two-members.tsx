/** A decision of two members: one proposes with a reason, another approves, each may decline. */
import { type ReactNode, useState } from 'react'
import { change } from '../app/client.ts'
import { ageOf } from '../app/format.ts'
import { useNow } from '../app/now.ts'
import type { Me } from '../app/wire.ts'
import { Ask, say } from './dialog.tsx'
import { Button } from './ui.tsx'

type Proposal = {
  readonly id: number
  readonly reason: string
  readonly proposedBy: string
  readonly expiresAt: number
  readonly approvedBy: string | null
}

type Step = { readonly action: string; readonly title: string; readonly text?: string; readonly done: string }

type Props = {
  readonly proposal: Proposal | null
  readonly me: Me
  readonly may: boolean
  readonly canPropose: boolean
  /** The subject of the buttons, for screen readers. */
  readonly about: string
  readonly paths: { readonly propose: string; readonly answer: string }
  readonly words: {
    readonly propose: Step
    readonly approve: Step
    readonly decline: Step
    readonly takeBack: string
    readonly own: string
    readonly proposedBy: (by: string, why: string) => string
    readonly decidedBy: (one: string, two: string, why: string) => string
    readonly lapses: (age: string) => string
  }
  readonly onDone: () => Promise<void>
}

type Deed = 'propose' | 'approve' | 'decline'

export function TwoMembers({ proposal, me, may, canPropose, about, paths, words, onDone }: Props): ReactNode {
  const [deed, setDeed] = useState<Deed>()
  const now = useNow(30_000)
  const button = (which: Deed, label: string): ReactNode => (
    <Button size="small" aria-label={`${label}: ${about}`} onClick={() => setDeed(which)}>
      {label}
    </Button>
  )
  if (proposal !== null && proposal.approvedBy !== null)
    return <p className="fg2">{words.decidedBy(proposal.proposedBy, proposal.approvedBy, proposal.reason)}</p>
  const isOwn = proposal?.proposedBy === me.email
  const act = async (reason: string): Promise<void> => {
    try {
      if (deed === 'propose') await change('POST', paths.propose, { reason })
      else await change('POST', `${paths.answer}/${proposal?.id}/${deed}`, deed === 'decline' ? { reason } : undefined)
      if (deed !== undefined) say(words[deed].done)
    } finally {
      await onDone()
    }
  }
  return (
    <span className="answer">
      {proposal !== null && (
        <>
          {words.proposedBy(proposal.proposedBy, proposal.reason)}
          <div className="fg3 small">{words.lapses(ageOf(proposal.expiresAt - now))}</div>
        </>
      )}
      {may && (
        <span className="line">
          {proposal === null ? (
            canPropose && button('propose', words.propose.action)
          ) : (
            <>
              {button('decline', isOwn ? words.takeBack : words.decline.action)}
              {isOwn ? <span className="fg3">{words.own}</span> : button('approve', words.approve.action)}
            </>
          )}
        </span>
      )}
      {deed !== undefined && (
        <Ask
          title={words[deed].title}
          {...(words[deed].text === undefined ? {} : { text: words[deed].text })}
          action={words[deed].action}
          hasReason={deed !== 'approve'}
          onDo={act}
          onClose={() => setDeed(undefined)}
        >
          {proposal !== null && <p className="fg2">{words.proposedBy(proposal.proposedBy, proposal.reason)}</p>}
        </Ask>
      )}
    </span>
  )
}
