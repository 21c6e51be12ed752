import type { WirePapers } from '@candor/core/protocol/wire/papers.ts'
import { UserRoundCheck } from 'lucide-react'
import { useMe } from '../../app/session.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { LinkRow } from '../ui/row.tsx'
import { usePapers } from './papers.ts'

/** A row that leads to the identity check and says how far it is. */
export function PapersRow() {
  const { t } = useTranslation()
  const certification = useMe()?.certification
  const own = usePapers()
  // Until the check is read, the user's own data says the most important.
  const known = certification === 'certified' ? 'certified' : certification === 'in-progress' ? 'waiting' : undefined
  const state = own.data?.state ?? known
  return (
    <LinkRow
      to="/kyc"
      icon={<UserRoundCheck size={20} strokeWidth={1.75} />}
      title={t('me.papers')}
      // Below the title: beside it, long words of some languages meet on a small phone.
      detail={
        <>
          {state !== undefined && <span className={`block font-medium ${colours[state]}`}>{wordOf(state, t)}</span>}
          {(state === undefined || state === 'none') && t('me.papersHint')}
        </>
      }
    />
  )
}

const colours: Readonly<Record<WirePapers['state'], string>> = {
  none: 'text-fg2',
  draft: 'text-brand',
  waiting: 'text-warn',
  rejected: 'text-danger',
  certified: 'text-ok',
}

function wordOf(state: WirePapers['state'], t: Translate): string {
  return {
    none: t('me.papersNone'),
    draft: t('me.papersDraft'),
    waiting: t('me.papersWaiting'),
    rejected: t('me.papersRejected'),
    certified: t('me.papersCertified'),
  }[state]
}
