import type { WireFirm, WireFirmAccount } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireFirmRequest } from '@candor/core/protocol/wire/firm/requests.ts'
import { ArrowUpFromLine, ClipboardCheck, WalletCards } from 'lucide-react'
import { acting } from '../../app/firm/acting.ts'
import { navigate } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { firmQuery, may, requests, useActFor } from '../../parts/firm/data.ts'
import { Endless } from '../../parts/lists/endless.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Empty } from '../../parts/ui/state.tsx'
import { RequestCard } from './request-card.tsx'

const icon = { size: 18, strokeWidth: 1.75 } as const

/** What members ask for: those that wait first. */
export function Requests({ firm }: { readonly firm: WireFirm }) {
  const { t } = useTranslation()
  const act = useActFor()
  const main = firm.accounts.find(({ kind }) => kind === 'main')
  const go = (account: WireFirmAccount, path: string): void => (acting?.uid === account.uid ? navigate(path) : act(firm, account, path))
  return (
    <div className="flex flex-col gap-3 px-4">
      {main !== undefined && may(firm, 'treasury') && (
        <div className="flex flex-wrap gap-2">
          <Button variant="soft" size="medium" className="flex-1" onClick={() => go(main, '/withdrawel')}>
            <ArrowUpFromLine {...icon} aria-hidden />
            {t('firm.askWithdrawal')}
          </Button>
          <Button variant="soft" size="medium" className="flex-1" onClick={() => go(main, '/addaddress')}>
            <WalletCards {...icon} aria-hidden />
            {t('firm.askAddress')}
          </Button>
        </div>
      )}
      <Endless
        // A request that others made or decided shows as soon as the firm's count of open ones has changed.
        queryKey={[...firmQuery(firm.id), 'requests', firm.openRequests]}
        page={(before) => requests.list(firm.id, before === undefined ? {} : { before })}
        empty={<Empty text={t('firm.noRequests')} icon={<ClipboardCheck size={22} strokeWidth={1.75} />} />}
      >
        {(all) => <Cards firm={firm} all={all} />}
      </Endless>
    </div>
  )
}

function Cards({ firm, all }: { readonly firm: WireFirm; readonly all: readonly WireFirmRequest[] }) {
  const { t } = useTranslation()
  const isWaiting = ({ state }: WireFirmRequest): boolean => state === 'open' || state === 'approved'
  const past = all.filter((request) => !isWaiting(request))
  return (
    <>
      {all.filter(isWaiting).map((request) => (
        <RequestCard key={request.id} firm={firm} request={request} />
      ))}
      {past.length > 0 && <h2 className="px-1 pt-2 text-12 font-medium text-fg3">{t('firm.past')}</h2>}
      {past.map((request) => (
        <RequestCard key={request.id} firm={firm} request={request} />
      ))}
    </>
  )
}
