/** Signatures of operators, which a payment above the signer's limit waits for. */
import { withdrawals as words } from '../../app/coin-texts.ts'
import type { SigningShown, WithdrawalDetail } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { amountOf, timeOf } from '../../app/format.ts'
import { signPayment } from '../../app/passkeys.ts'
import type { Me } from '../../app/wire.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Button, Card } from '../../parts/ui.tsx'
import { readAgain } from './queries.ts'
import { Target } from './target.tsx'

type Props = { readonly of: WithdrawalDetail; readonly signing: SigningShown; readonly me: Me }

export function Signing({ of, signing: { by, isOperator }, me }: Props): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const isWaiting = of.trouble === 'APPROVALS_MISSING'
  const isSigned = by.some(({ by: email }) => email === me.email)
  return (
    <Card title={words.signing}>
      <div className="card-body stack">
        {by.map(({ by: email, at }) => (
          <p key={email} className="line">
            <Users size={14} aria-hidden="true" />
            {words.signedBy(email, timeOf(at))}
          </p>
        ))}
        {isWaiting && <p className="fg2">{isSigned && by.length === 1 ? words.signedOwn : words.signingText(by.length)}</p>}
        {isWaiting && !isSigned && !isOperator && <p className="fg3">{words.noOperator}</p>}
        {isWaiting && !isSigned && isOperator && (
          <span className="line">
            <Button look="filled" onClick={() => setAsking(true)}>
              {words.sign}
            </Button>
          </span>
        )}
      </div>
      {isAsking && <Sign of={of} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function Sign({ of, onClose }: { readonly of: WithdrawalDetail; readonly onClose: () => void }): ReactNode {
  const act = async (): Promise<void> => {
    try {
      await signPayment(of.id)
      say(words.signed)
    } finally {
      await readAgain()
    }
  }
  return (
    <Ask
      title={words.signTitle(`${amountOf(of.arrives)} ${of.asset}`)}
      text={words.signText}
      action={words.sign}
      onDo={act}
      onClose={onClose}
    >
      <Target of={of} />
    </Ask>
  )
}
