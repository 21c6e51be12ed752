/** The decision about a request: one proposes, another signs, each may decline. */
import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { ageOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Button } from '../../parts/ui.tsx'
import { renewRecoveries } from './queries.ts'
import type { RecoveryReview } from '@candor/core/protocol/wire/console/recoveries.ts'

type Props = { readonly review: RecoveryReview; readonly me: Me }

/** Over the page while somebody else's proposal can be signed. */
export function RecoveryBanner({ review, me }: Props): ReactNode {
  const { uid, proposal, state } = review
  if (state !== 'sent' || proposal === null || proposal.by === me.email || !me.mayDo.includes('recoveries.decide')) return null
  return (
    <div className="banner" role="region" aria-label={t.recoveries.title}>
      <Users size={16} aria-hidden="true" />
      <p>
        <b>{t.recoveries.banner(uid)}</b> {t.recoveries.bannerText(proposal.by, ageOf(Date.now() - proposal.at), proposal.reason)}
      </p>
    </div>
  )
}

type Step = 'propose' | 'approve' | 'reject'

export function RecoveryDecision({ review, me }: Props): ReactNode {
  const { id, uid, state, proposal, matches, isFrozen } = review
  const [step, setStep] = useState<Step>()
  if (state !== 'sent') return <p className="judge-foot fg2">{t.recoveries.over}</p>
  const isSame = matches.document && matches.name
  const send = async (reason: string): Promise<void> => {
    try {
      await change('POST', `/recoveries/${id}/${step}`, step === 'approve' ? undefined : { reason })
      say(step === 'propose' ? t.recoveries.proposedDone : step === 'reject' ? t.recoveries.declined : doneText(uid, isFrozen))
    } finally {
      await renewRecoveries(id)
    }
  }
  const isOwn = proposal?.by === me.email
  return (
    <div className="judge-foot">
      <p className="fg2">
        {!matches.document ? t.recoveries.documentDiffers : !matches.name ? t.recoveries.nameDiffers : t.recoveries.documentSame}
      </p>
      {isOwn && <p className="fg3 small">{t.recoveries.own}</p>}
      <div className="line">
        <Button isDanger onClick={() => setStep('reject')}>
          {t.recoveries.decline}
        </Button>
        {proposal === null ? (
          <Button look="filled" disabled={!isSame} onClick={() => setStep('propose')}>
            {t.recoveries.propose}
          </Button>
        ) : (
          !isOwn && (
            <Button look="filled" disabled={!isSame} onClick={() => setStep('approve')}>
              {t.recoveries.sign}
            </Button>
          )
        )}
      </div>
      {step !== undefined && (
        <Ask
          {...questionOf(step, uid, isFrozen)}
          isDanger={step === 'reject'}
          hasReason={step !== 'approve'}
          onDo={send}
          onClose={() => setStep(undefined)}
        />
      )}
    </div>
  )
}

const doneText = (uid: string, isFrozen: boolean): string => (isFrozen ? t.recoveries.confirmed(uid) : t.recoveries.signed(uid))

function questionOf(
  step: Step,
  uid: string,
  isFrozen: boolean,
): { readonly title: string; readonly text: string; readonly action: string } {
  const { proposeTitle, proposeText, propose, signTitle, signText, sign, declineTitle, declineText, decline, frozenText } = t.recoveries
  if (step === 'propose') return { title: proposeTitle(uid), text: isFrozen ? frozenText : proposeText, action: propose }
  if (step === 'approve') return { title: signTitle(uid), text: isFrozen ? frozenText : signText, action: sign }
  return { title: declineTitle(uid), text: declineText, action: decline }
}
