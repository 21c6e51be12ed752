/** Two members explain the transaction of a difference. */
import { treasury as words } from '../../app/coin-texts.ts'
import type { TreasuryFinding } from '@candor/core/protocol/wire/console/treasury.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { amountOf } from '../../app/format.ts'
import { meQuery, queryClient } from '../../app/session.ts'
import { TwoMembers } from '../../parts/two-members.tsx'

export function Naming({ of: { id, amount, asset, decision, isNameable } }: { readonly of: TreasuryFinding }): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  if (me === null || (decision === null && !isNameable)) return null
  const sum = `${amountOf(amount)} ${asset}`
  return (
    <TwoMembers
      proposal={decision}
      me={me}
      may={me.mayDo.includes('treasury.decide')}
      canPropose={isNameable}
      about={sum}
      paths={{ propose: `/treasury/findings/${id}/explain`, answer: '/treasury/movements' }}
      words={{
        propose: { action: words.name, title: words.nameTitle(sum), text: words.nameText, done: words.nameProposed },
        approve: { action: words.nameApprove, title: words.nameApproveTitle(sum), done: words.nameApproved },
        decline: { action: words.nameDecline, title: words.nameDeclineTitle, done: words.nameDeclined },
        ...{ takeBack: words.nameTakeBack, own: words.nameOwn, proposedBy: words.nameProposedBy },
        ...{ decidedBy: words.namedBy, lapses: words.nameLapses },
      }}
      onDone={() => queryClient.invalidateQueries({ queryKey: ['treasury'] })}
    />
  )
}
