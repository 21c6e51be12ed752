/** The decision about a held deposit: one member proposes, another approves, each may decline. */
import { deposits as words } from '../../app/coin-texts.ts'
import type { DepositRow } from '@candor/core/protocol/wire/console/deposits.ts'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { ageOf, amountOf } from '../../app/format.ts'
import type { Me } from '../../app/wire.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Button } from '../../parts/ui.tsx'
import { readAgain } from './queries.ts'

type Deed = 'release' | 'refuse' | 'approve' | 'decline'
type Props = { readonly of: DepositRow; readonly now: number; readonly me: Me }

export function Deciding({ of, now, me }: Props): ReactNode {
  const [deed, setDeed] = useState<Deed>()
  const { proposal, id } = of
  const may = me.mayDo.includes('deposits.decide')
  const isOwn = proposal?.proposedBy === me.email
  const button = (which: Deed, label: string): ReactNode => (
    <Button size="small" isDanger={which === 'refuse'} aria-label={`${label}: ${id}`} onClick={() => setDeed(which)}>
      {label}
    </Button>
  )
  return (
    <span className="answer">
      {proposal !== null && (
        <>
          {proposal.proposedBy} {words.proposes[proposal.isReleased ? 'release' : 'refuse']}: “{proposal.reason}”
          <div className="fg3 small">{words.lapses(ageOf(proposal.expiresAt - now))}</div>
        </>
      )}
      {may && (
        <span className="line ends">
          {proposal === null ? (
            <>
              {button('release', words.release)}
              {button('refuse', words.refuse)}
            </>
          ) : (
            <>
              {button('decline', isOwn ? words.takeBack : words.decline)}
              {isOwn ? <span className="fg3">{words.own}</span> : button('approve', words.approve)}
            </>
          )}
        </span>
      )}
      {deed !== undefined && <Do of={of} deed={deed} onClose={() => setDeed(undefined)} />}
    </span>
  )
}

function Do({ of, deed, onClose }: { readonly of: DepositRow; readonly deed: Deed; readonly onClose: () => void }): ReactNode {
  const { id, proposal, amount, asset } = of
  const sum = `${amountOf(amount)} ${asset ?? ''}`
  const kind = (proposal?.isReleased ?? deed === 'release') ? 'release' : 'refuse'
  const texts = {
    release: { title: words.releaseTitle(sum), text: words.releaseText, action: words.release, done: words.proposed },
    refuse: { title: words.refuseTitle(sum), text: words.refuseText, action: words.refuse, done: words.proposed },
    approve: {
      ...{ title: words.approveTitle[kind](sum), text: kind === 'release' ? words.about.held : words.refuseText },
      ...{ action: words.approve, done: kind === 'release' ? words.released : words.refused },
    },
    decline: { title: words.declineTitle, text: '', action: words.decline, done: words.declined },
  }[deed]
  const act = async (reason: string): Promise<void> => {
    try {
      if (deed === 'release' || deed === 'refuse')
        await change('POST', `/deposits/${id}/propose`, { isReleased: deed === 'release', reason })
      else await change('POST', `/deposits/decisions/${proposal?.id}/${deed}`, deed === 'decline' ? { reason } : undefined)
      say(texts.done)
    } finally {
      await readAgain()
    }
  }
  return (
    <Ask
      title={texts.title}
      {...(texts.text === '' ? {} : { text: texts.text })}
      action={texts.action}
      isDanger={deed === 'refuse' || (deed === 'approve' && kind === 'refuse')}
      hasReason={deed !== 'approve'}
      onDo={act}
      onClose={onClose}
    >
      {proposal !== null && (
        <p className="fg2">
          {proposal.proposedBy}: “{proposal.reason}”
        </p>
      )}
      <p className="fg2">{words.whyOf(of.why)}</p>
    </Ask>
  )
}
