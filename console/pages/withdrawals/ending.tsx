/** Two members end an approved payment that the signer refuses. */
import { withdrawals as words } from '../../app/coin-texts.ts'
import type { WithdrawalDetail } from '@candor/core/protocol/wire/console/withdrawals.ts'
import type { ReactNode } from 'react'
import { amountOf } from '../../app/format.ts'
import type { Me } from '../../app/wire.ts'
import { TwoMembers } from '../../parts/two-members.tsx'
import { Card } from '../../parts/ui.tsx'
import { readAgain } from './queries.ts'

export function Ending({ of, me }: { readonly of: WithdrawalDetail; readonly me: Me }): ReactNode {
  const { id, amount, asset, ending, isEndable } = of
  const sum = `${amountOf(amount)} ${asset}`
  return (
    <Card title={words.ending}>
      <div className="card-body stack">
        {isEndable && <p className="fg2">{words.endingText}</p>}
        <TwoMembers
          proposal={ending}
          me={me}
          may={me.mayDo.includes('withdrawals.decide')}
          canPropose={isEndable}
          about={String(id)}
          paths={{ propose: `/withdrawals/${id}/end`, answer: '/withdrawals/endings' }}
          words={{
            propose: { action: words.end, title: words.endTitle(sum), text: words.endApproveText, done: words.endProposed },
            approve: { action: words.endApprove, title: words.endApproveTitle(sum), text: words.endApproveText, done: words.endDone },
            decline: { action: words.endDecline, title: words.endDeclineTitle, done: words.endDeclined },
            ...{ takeBack: words.endTakeBack, own: words.endOwn, proposedBy: words.endProposedBy },
            ...{ decidedBy: words.endedBy, lapses: words.endLapses },
          }}
          onDone={readAgain}
        />
      </div>
    </Card>
  )
}
