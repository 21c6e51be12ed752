import {
  BadgeCheck,
  Bot,
  Building2,
  ClipboardList,
  FileCheck,
  Gift,
  Globe,
  Headset,
  History,
  Hourglass,
  Info,
  LogOut,
  Percent,
  Rocket,
  Settings2,
  ShieldCheck,
  UserRound,
  WalletCards,
} from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { navigate } from '../../app/location.ts'
import { logout } from '../../app/me.ts'
import { problemOf } from '../../app/problem.ts'
import { useMe } from '../../app/session.ts'
import { loadArea, nameOf, useLang } from '../../app/texts.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Bell } from '../../parts/notices/bell.tsx'
import { PapersRow } from '../../parts/account/papers-row.tsx'
import { CopyButton } from '../../parts/ui/copy.tsx'
import { Fees } from '../../parts/funds/fees.tsx'
import { leftOf } from '../../parts/funds/turnover.ts'
import { later } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ActionRow, LinkRow, Rows } from '../../parts/ui/row.tsx'
import { ConfirmSheet, Sheet } from '../../parts/ui/sheet.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Turn } from '../../parts/ui/turn.tsx'
import { toast } from '../../parts/ui/toast.tsx'

const Protection = later(async () => {
  const [card] = await Promise.all([import('./protection.tsx'), loadArea('safety')])
  return card.Protection
})

const icon = { size: 20, strokeWidth: 1.75 } as const

export function Screen() {
  const { t } = useTranslation()
  const me = useMe()
  const locale = useLang((state) => state.locale)
  return (
    <>
      <PageHeader title={t('shell.me')} hasBack={false}>
        {me !== undefined && <Bell label={t('me.notices')} />}
      </PageHeader>
      <div className="flex flex-col gap-5 pt-1 pb-6">
        {me === undefined ? <VisitorCard /> : <Profile me={me} />}
        {me !== undefined && (
          <Suspense fallback={<ProtectionSkeleton />}>
            <Protection skeleton={<ProtectionSkeleton />} />
          </Suspense>
        )}
        <Turn>
          {me !== undefined && <Own me={me} />}
          <Rows>
            <LinkRow to="/sellList" icon={<Rocket {...icon} />} title={t('me.presales')} />
            <LinkRow to="/proof" icon={<FileCheck {...icon} />} title={t('me.proof')} detail={t('me.proofHint')} />
            <LinkRow to="/setting" icon={<Settings2 {...icon} />} title={t('shell.settings')} />
            <LinkRow to="/lang" icon={<Globe {...icon} />} title={t('shell.language')} value={nameOf(locale)} />
            <LinkRow to="/support" icon={<Headset {...icon} />} title={t('shell.support')} />
            <LinkRow to="/about" icon={<Info {...icon} />} title={t('shell.about')} />
          </Rows>
          {me !== undefined && <Logout />}
        </Turn>
      </div>
    </>
  )
}

/** Keeps the place of the card, so that rows don't move under a thumb. */
function ProtectionSkeleton() {
  return <Skeleton className="mx-4 h-56 rounded-card" />
}

function VisitorCard() {
  const { t } = useTranslation()
  return (
    <section className="mx-4 flex flex-col gap-4 rounded-card bg-s1 p-4">
      <div className="flex items-center gap-3">
        <span aria-hidden className="flex size-12 shrink-0 items-center justify-center rounded-full bg-s2 text-fg3">
          <UserRound size={24} strokeWidth={1.75} />
        </span>
        <div>
          <h2 className="text-17 font-semibold">{t('me.visitor')}</h2>
          <p className="text-13 text-fg2">{t('me.visitorHint')}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/login?next=/me" variant="soft" size="medium" className="flex-1">
          {t('common.login')}
        </ButtonLink>
        <ButtonLink to="/register?next=/me" size="medium" className="flex-1">
          {t('common.register')}
        </ButtonLink>
      </div>
    </section>
  )
}

function Profile({ me }: { readonly me: WireMe }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isFeesOpen, setIsFeesOpen] = useState(false)
  const hasFutures = (useConfig().data?.perpFeeTiers.length ?? 0) > 0
  return (
    <section className="mx-4 flex flex-col gap-4 rounded-card bg-s1 p-4">
      <div className="flex items-center gap-3">
        <span aria-hidden className="flex size-12 shrink-0 items-center justify-center rounded-full bg-brandtint text-brand">
          <UserRound size={24} strokeWidth={1.75} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-17 font-semibold">{me.email ?? me.phone}</h2>
          <p className="tn flex items-center text-13 text-fg2">
            {t('me.uid', { uid: me.uid })}
            <CopyButton text={me.uid} label={t('me.uidLabel')} />
          </p>
        </div>
        {me.certification === 'certified' && (
          <span className="flex items-center gap-1 rounded-chip bg-brandtint px-2 py-1 text-12 font-medium text-brand">
            <BadgeCheck size={14} aria-hidden />
            {t('me.certified')}
          </span>
        )}
      </div>
      <button type="button" onClick={() => setIsFeesOpen(true)} className="flex flex-col gap-2 rounded-control bg-s2 p-3 text-start">
        <Tier product={t('me.spot')} tier={me.feeTier} volume={me.volume30d} />
        {hasFutures && <Tier product={t('me.futures')} tier={me.perpFeeTier} volume={me.perpVolume30d} />}
      </button>
      {me.turnover != null && (
        <a href="#/kyc" className="-mt-2 flex flex-wrap items-center justify-between gap-x-3 rounded-control bg-s2 p-3">
          <span className="text-11 text-fg3">{t('me.dailyLeft')}</span>
          <span className="tn text-13 font-semibold">
            {t('me.dailyOf', { left: format.usdt(leftOf(me.turnover)), limit: format.usdt(me.turnover.limit as Decimal) })}
          </span>
        </a>
      )}
      <Sheet isOpen={isFeesOpen} onClose={() => setIsFeesOpen(false)} title={t('shell.fees')}>
        <div className="flex flex-col gap-3">
          <h3 className="text-13 font-semibold">{t('me.spot')}</h3>
          <Fees current={me.feeTier} />
          {hasFutures && (
            <>
              <h3 className="text-13 font-semibold">{t('me.futures')}</h3>
              <Fees product="perp" current={me.perpFeeTier} />
            </>
          )}
        </div>
      </Sheet>
    </section>
  )
}

/** The tier of a product and the volume that it follows from. */
function Tier({ product, tier, volume }: { readonly product: string; readonly tier: number; readonly volume: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <span className="grid grid-cols-2 gap-3">
      <span>
        <span className="block text-11 text-fg3">
          {t('me.feeTier')} · {product}
        </span>
        <span className="tn flex items-center gap-1 text-15 font-semibold">
          <Percent size={14} aria-hidden className="text-fg3" />
          {t('me.tier', { tier })}
        </span>
      </span>
      <span>
        <span className="block text-11 text-fg3">{t('shell.volume30d')}</span>
        <span className="tn block text-15 font-semibold">{format.compact(volume)} USDT</span>
      </span>
    </span>
  )
}

function Own({ me }: { readonly me: WireMe }) {
  const { t } = useTranslation()
  return (
    <>
      <Rows title={t('me.security')}>
        <PapersRow />
        <LinkRow to="/safety" icon={<ShieldCheck {...icon} />} title={t('me.safety')} detail={t('me.safetyHint')} />
        <LinkRow
          to="/addresslist"
          icon={<WalletCards {...icon} />}
          title={t('me.withdrawalAddresses')}
          detail={t('me.withdrawalAddressesHint')}
        />
        <LinkRow to="/limits" icon={<Hourglass {...icon} />} title={t('me.limits')} detail={t('me.limitsHint')} />
        <LinkRow to="/organization" icon={<Building2 {...icon} />} title={t('me.firms')} detail={t('me.firmsHint')} />
        <LinkRow to="/apikeys" icon={<Bot {...icon} />} title={t('me.apiKeys')} detail={t('me.apiKeysHint')} />
      </Rows>
      <Rows title={t('me.activity')}>
        <LinkRow to="/entrust" icon={<ClipboardList {...icon} />} title={t('shell.orders')} />
        <LinkRow to="/propertyRecord" icon={<History {...icon} />} title={t('shell.records')} />
        <div className="flex items-center pe-2">
          <div className="min-w-0 flex-1">
            <LinkRow
              to="/join"
              icon={<Gift {...icon} />}
              title={t('me.invitation')}
              detail={t('me.invitationHint')}
              value={<span className="tn font-semibold text-fg">{me.invitationCode}</span>}
            />
          </div>
          <CopyButton text={me.invitationCode} label={t('me.invitation')} />
        </div>
      </Rows>
    </>
  )
}

function Logout() {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const leave = useMutation({
    mutationFn: logout,
    onSuccess: () => {
      setIsAsking(false)
      navigate('/')
    },
    onError: (error) => void toast({ text: problemOf(error, t).text, tone: 'bad' }),
  })
  return (
    <>
      <Rows>
        <ActionRow onClick={() => setIsAsking(true)} icon={<LogOut {...icon} className="text-danger" />} title={t('me.logout')} isDanger />
      </Rows>
      <ConfirmSheet
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => leave.mutate()}
        isBusy={leave.isPending}
        title={t('me.logoutAsk')}
        confirm={t('me.logout')}
        tone="danger"
        note={t('me.logoutHint')}
      />
    </>
  )
}
