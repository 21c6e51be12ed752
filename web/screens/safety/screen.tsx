import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'
import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'
import {
  ClockAlert,
  Fingerprint,
  History,
  Hourglass,
  KeyRound,
  LifeBuoy,
  ListOrdered,
  LockKeyhole,
  KeySquare,
  Mail,
  MailCheck,
  MonitorSmartphone,
  Phone,
  Plus,
  Smartphone,
  Snowflake,
  UserX,
  WalletCards,
} from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useFactors } from '../../parts/account/factors.ts'
import { canUsePasskeys } from '../../parts/account/passkeys.ts'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { refreshProtection, useSafety } from '../../parts/account/safety.ts'
import { type NextStep, StrengthCard } from '../../parts/account/strength-card.tsx'
import { factorsIn } from '../../parts/account/strength.ts'
import { later, laterSheets } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { ActionRow, LinkRow, Row, Rows } from '../../parts/ui/row.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { useNewAuthenticator } from './new-authenticator.ts'
import type { Opened } from './sheets.tsx'

const PapersRow = later(() => import('../../parts/account/papers-row.tsx').then((module) => module.PapersRow))
const icon = { size: 20, strokeWidth: 1.75 } as const

/** They open at a tap, and bring forms and the drawing of codes with them, so they are loaded after the first paint. */
const Sheets = laterSheets(
  async () => {
    await painted()
    return (await import('./sheets.tsx')).Sheets
  },
  ({ opened, onClose }) => ({ isOpen: opened !== undefined, onClose }),
)

/** Sheets that a link can name, `?open=payment`. A new authenticator has no sheet before its proof. */
const steps: { readonly [Step in Exclude<NextStep, 'new-authenticator'>]: Step } = {
  ...{ 'new-passkey': 'new-passkey', recovery: 'recovery', email: 'email', phone: 'phone' },
  ...{ payment: 'payment', phrase: 'phrase', list: 'list', regain: 'regain' },
}

/** The security centre: how the account is protected, and what happened to it. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const own = useFactors()
  const safety = useSafety()
  const error = own.error ?? safety.error
  const hasAll = own.data !== undefined && safety.data !== undefined
  return (
    <Pull onRefresh={refreshProtection}>
      <PageHeader title={t('safety.title')} fallback="/me" />
      {isVisitor && <LoginFirst text={t('safety.loginFirst')} next="/safety" />}
      {!isVisitor && !hasAll && (error === null ? <RowsSkeleton rows={6} /> : <Failure error={error} />)}
      {!isVisitor && own.data !== undefined && safety.data !== undefined && <Centre own={own.data} safety={safety.data} />}
    </Pull>
  )
}

function Centre({ own, safety }: { readonly own: WireFactors; readonly safety: WireSafety }) {
  const { t } = useTranslation()
  const { query } = usePlace()
  const asked = query.get('open')
  const [opened, setOpened] = useState<Opened | undefined>(() => Object.values(steps).find((step) => step === asked))
  const [codes, setCodes] = useState<readonly string[]>()
  const fresh = useNewAuthenticator()
  const close = (): void => setOpened(undefined)
  const addAuthenticator = (): void => {
    close()
    if (!fresh.isPending) fresh.mutate()
  }
  useEffect(() => {
    if (asked !== 'new-authenticator') return
    // Removes the request from the address, so that a reload does not set up another one.
    navigate('/safety', { replace: true })
    addAuthenticator()
  })
  return (
    <div className="flex flex-col gap-5 pt-1 pb-8">
      <StrengthCard own={own} safety={safety} onStep={(step) => (step === 'new-authenticator' ? addAuthenticator() : setOpened(step))} />
      {safety.withdrawalsClosedUntil !== null && <Closed until={safety.withdrawalsClosedUntil} />}
      <Passkeys own={own} onOpen={setOpened} />
      <Others own={own} onOpen={setOpened} onAddAuthenticator={addAuthenticator} />
      <Addresses safety={safety} onOpen={setOpened} />
      <AccountRows own={own} safety={safety} onOpen={setOpened} />
      <Rows>
        <ActionRow
          onClick={() => setOpened('freeze')}
          icon={<Snowflake {...icon} className="text-danger" />}
          title={t('safety.freeze')}
          detail={t('safety.freezeHint')}
          isDanger
        />
        <LinkRow to="/deletion" icon={<UserX {...icon} />} title={t('safety.deletion')} detail={t('safety.deletionHint')} />
      </Rows>
      <Suspense fallback={null}>
        <Sheets {...{ own, safety, opened, fresh, codes, setCodes }} onClose={close} onReplace={addAuthenticator} />
      </Suspense>
      <ProofGate />
    </div>
  )
}

type GroupProps = { readonly own: WireFactors; readonly onOpen: (opened: Opened) => void }

function Passkeys({ own, onOpen }: GroupProps) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <Rows title={t('safety.passkeys')}>
      {own.passkeys.map(({ id, label, isSynced, createdAt, lastUsedAt }) => (
        <ActionRow
          key={id}
          onClick={() => onOpen({ passkey: id })}
          icon={<Fingerprint {...icon} />}
          title={<span className="break-words">{label}</span>}
          detail={`${isSynced ? t('safety.synced') : t('safety.deviceOnly')} · ${
            lastUsedAt === null
              ? t('safety.addedOn', { date: format.date(createdAt) })
              : t('safety.usedAgo', { ago: format.ago(lastUsedAt) })
          }`}
        />
      ))}
      {canUsePasskeys() ? (
        <ActionRow
          onClick={() => onOpen('new-passkey')}
          icon={<Plus {...icon} className="text-brand" />}
          title={<span className="text-brand">{t('safety.addPasskey')}</span>}
          detail={own.passkeys.length === 0 ? t('safety.passkeysHint') : undefined}
        />
      ) : (
        own.passkeys.length === 0 && <Row icon={<Fingerprint {...icon} />} title={t('safety.noPasskeysHere')} />
      )}
    </Rows>
  )
}

function Others({ own, onOpen, onAddAuthenticator }: GroupProps & { readonly onAddAuthenticator: () => void }) {
  const { t } = useTranslation()
  const isOn = own.authenticatorSince !== null
  return (
    <Rows title={t('safety.codes')}>
      <ActionRow
        onClick={isOn ? () => onOpen('authenticator') : onAddAuthenticator}
        icon={<Smartphone {...icon} />}
        title={t('safety.authenticator')}
        detail={isOn ? undefined : t('safety.authenticatorHint')}
        value={<OnOrAdd isOn={isOn} />}
      />
      {factorsIn(own) > 0 && (
        <ActionRow
          onClick={() => onOpen('recovery')}
          icon={<LifeBuoy {...icon} />}
          title={t('safety.recovery')}
          value={<span className="tn">{t('safety.codesLeft', { left: own.recoveryCodesLeft })}</span>}
        />
      )}
    </Rows>
  )
}

/** What protects the account beside second factors, and what happened to it. */
function AccountRows({ own, safety, onOpen }: GroupProps & { readonly safety: WireSafety }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <Rows title={t('safety.account')}>
      <Suspense fallback={<div className="min-h-15" />}>
        <PapersRow />
      </Suspense>
      <LinkRow to="/password" icon={<KeyRound {...icon} />} title={t('safety.password')} detail={t('safety.passwordHint')} />
      <ActionRow
        onClick={() => onOpen('payment')}
        icon={<KeySquare {...icon} />}
        title={t('safety.payment')}
        detail={t('safety.paymentHint')}
        value={<OnOrAdd isOn={safety.hasPaymentPassword} />}
      />
      <LinkRow
        to="/addresslist"
        icon={<WalletCards {...icon} />}
        title={t('me.withdrawalAddresses')}
        detail={t('me.withdrawalAddressesHint')}
      />
      <ActionRow
        onClick={() => onOpen('list')}
        icon={<LockKeyhole {...icon} />}
        title={t('safety.list')}
        detail={
          safety.allowList.endsAt === null ? t('safety.listHint') : t('safety.listEnds', { time: format.dateTime(safety.allowList.endsAt) })
        }
        value={<OnOrAdd isOn={safety.allowList.isOn} />}
      />
      <ActionRow
        onClick={() => onOpen('phrase')}
        icon={<MailCheck {...icon} />}
        title={t('safety.phrase')}
        detail={t('safety.phraseDetail')}
        value={own.hasPhrase ? <span className="text-ok">{t('safety.on')}</span> : undefined}
      />
      <ActionRow
        onClick={() => onOpen('sessions')}
        icon={<MonitorSmartphone {...icon} />}
        title={t('me.sessions')}
        detail={t('me.sessionsHint')}
      />
      <ActionRow
        onClick={() => onOpen('history')}
        icon={<History {...icon} />}
        title={t('safety.history')}
        detail={t('safety.historyHint')}
      />
      <LinkRow to="/limits" icon={<Hourglass {...icon} />} title={t('me.limits')} detail={t('me.limitsHint')} />
      <LinkRow to="/activity" icon={<ListOrdered {...icon} />} title={t('safety.activity')} detail={t('safety.activityHint')} />
    </Rows>
  )
}

/** The addresses of the account, masked. */
function Addresses({ safety, onOpen }: { readonly safety: WireSafety; readonly onOpen: (opened: Opened) => void }) {
  const { t } = useTranslation()
  return (
    <Rows title={t('safety.addresses')}>
      {(['email', 'phone'] as const).map((channel) => (
        <ActionRow
          key={channel}
          onClick={() => onOpen(channel)}
          icon={channel === 'email' ? <Mail {...icon} /> : <Phone {...icon} />}
          title={channel === 'email' ? t('safety.email') : t('safety.phone')}
          // Below the title: beside it, a long address breaks on a small phone.
          detail={safety[channel] === null ? undefined : <span className="break-words">{safety[channel]}</span>}
          value={safety[channel] === null ? <OnOrAdd isOn={false} /> : undefined}
        />
      ))}
    </Rows>
  )
}

function OnOrAdd({ isOn }: { readonly isOn: boolean }) {
  const { t } = useTranslation()
  return isOn ? <span className="text-ok">{t('safety.on')}</span> : <span className="font-medium text-brand">{t('safety.add')}</span>
}

/** Until when withdrawals are closed after a change of the account's protection. */
function Closed({ until }: { readonly until: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <p className="mx-4 flex items-start gap-2 rounded-card bg-warntint p-4 text-13 text-fg">
      <ClockAlert size={18} strokeWidth={1.75} aria-hidden className="shrink-0" />
      {t('safety.withdrawalsClosed', { time: format.dateTime(until) })}
    </p>
  )
}
