import type { WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { useCountryName } from '../../parts/fields/country-field.tsx'
import { may, useFirm, useFirmBalances, useRoleWords } from '../../parts/firm/data.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { RowsSkeleton, Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { Accounts } from './accounts.tsx'
import { StateChip } from './chips.tsx'
import { Log } from './log.tsx'
import { Members } from './members.tsx'
import { Requests } from './requests.tsx'
import { Rule } from './rule.tsx'

const tabs = ['accounts', 'requests', 'members', 'rule', 'log'] as const
type Tab = (typeof tabs)[number]

/** One firm. `?tab` chooses what is shown. */
export function FirmPage({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const firm = useFirm(id)
  return (
    <>
      <PageHeader title={firm.data?.name ?? t('firm.title')} fallback="/organization" />
      {firm.data === undefined ? (
        firm.error === null ? (
          <RowsSkeleton rows={6} />
        ) : (
          <Failure error={firm.error} onRetry={() => void firm.refetch()} />
        )
      ) : firm.data.state === 'active' ? (
        <Active firm={firm.data} />
      ) : (
        <Waiting firm={firm.data} />
      )}
    </>
  )
}

function Active({ firm }: { readonly firm: WireFirm }) {
  const { t } = useTranslation()
  const { query } = usePlace()
  const roles = useRoleWords()
  const asked = query.get('tab')
  // The log says who did what, which only those who manage members may read.
  const shown = tabs.filter((one) => one !== 'log' || may(firm, 'manage'))
  const tab = shown.find((one) => one === asked) ?? 'accounts'
  const names: Readonly<Record<Tab, string>> = {
    accounts: t('firm.accounts'),
    requests: t('firm.requests'),
    members: t('firm.members'),
    rule: t('firm.rule'),
    log: t('firm.log'),
  }
  const panels = {
    accounts: <Accounts firm={firm} />,
    requests: <Requests firm={firm} />,
    members: <Members firm={firm} />,
    rule: <Rule firm={firm} />,
    log: <Log firm={firm} />,
  }
  const count = (value: Tab): number | undefined => (value === 'requests' ? firm.openRequests : undefined)
  return (
    <div className="flex flex-col gap-4 pb-8">
      <section className="mx-4 flex flex-col gap-1 rounded-card bg-s1 p-4">
        <span className="text-12 text-fg2">{t('firm.worth')}</span>
        <Worth firm={firm} />
        <p className="text-12 text-fg2">{t('firm.youAre', { role: roles[firm.me.role].name })}</p>
      </section>
      <Tabs
        label={firm.name}
        choices={shown.map((value) => ({ value, label: names[value], count: count(value) }))}
        value={tab}
        onChange={(value) => navigate(`/organization?firm=${firm.id}&tab=${value}`, { replace: true })}
      />
      <div role="tabpanel" aria-label={names[tab]}>
        {panels[tab]}
      </div>
    </div>
  )
}

function Worth({ firm }: { readonly firm: WireFirm }) {
  const balances = useFirmBalances(firm.id).data
  if (balances === undefined) return <Skeleton className="h-8 w-40 rounded-control" />
  return <Amount value={balances.totalUsdt} asset="USDT" className="text-28 font-semibold" />
}

/** A firm that the staff has not decided about, or has refused. */
function Waiting({ firm }: { readonly firm: WireFirm }) {
  const { t } = useTranslation()
  const countryName = useCountryName()
  return (
    <section className="mx-4 flex flex-col gap-3 rounded-card bg-s1 p-4">
      <div className="flex items-start justify-between gap-3">
        <h2 className="text-15 font-semibold break-words">{firm.name}</h2>
        <StateChip state={firm.state} />
      </div>
      <p className="text-13 text-fg2">{`${firm.registration} · ${countryName(firm.country)}`}</p>
      <p className="text-13">{firm.state === 'applied' ? t('firm.waiting') : t('firm.refusedWhy', { why: firm.why ?? '' })}</p>
    </section>
  )
}
