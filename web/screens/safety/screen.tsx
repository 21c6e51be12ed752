import type { WireFactors } from '@candor/core/protocol/wire/factors.ts'
import { Fingerprint, History, KeyRound, LifeBuoy, MailCheck, MonitorSmartphone, Plus, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { factorsQuery, useFactors } from '../../parts/account/factors.ts'
import { PapersRow } from '../../parts/account/papers-row.tsx'
import { canUsePasskeys } from '../../parts/account/passkeys.ts'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { SessionsSheet } from '../../parts/account/sessions-sheet.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { ActionRow, LinkRow, Row, Rows } from '../../parts/ui/row.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { AuthenticatorSheets, useNewAuthenticator } from './authenticator.tsx'
import { HistorySheet } from './history.tsx'
import { NewPasskeySheet, PasskeySheet } from './passkeys.tsx'
import { CodesSheet, RecoverySheet } from './recovery.tsx'
import { PhraseSheet } from './phrase.tsx'
import { StrengthCard } from './strength-card.tsx'
import { factorsIn } from './strength.ts'

const icon = { size: 20, strokeWidth: 1.75 } as const

type Opened = 'authenticator' | 'new-passkey' | 'recovery' | 'phrase' | 'sessions' | 'history' | { readonly passkey: string }

/** The security centre: how the account is protected, and what happened to it. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const own = useFactors()
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: factorsQuery })}>
      <PageHeader title={t('safety.title')} fallback="/me" />
      {isVisitor && <LoginFirst text={t('safety.loginFirst')} next="/safety" />}
      {!isVisitor && own.data === undefined && (own.error === null ? <RowsSkeleton rows={6} /> : <Failure error={own.error} />)}
      {!isVisitor && own.data !== undefined && <Centre own={own.data} />}
    </Pull>
  )
}

function Centre({ own }: { readonly own: WireFactors }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<Opened>()
  const [codes, setCodes] = useState<readonly string[]>()
  const fresh = useNewAuthenticator()
  const close = (): void => setOpened(undefined)
  const passkey = typeof opened === 'object' ? own.passkeys.find(({ id }) => id === opened.passkey) : undefined
  const addAuthenticator = (): void => {
    close()
    if (!fresh.isPending) fresh.mutate()
  }
  return (
    <div className="flex flex-col gap-5 pt-1 pb-8">
      <StrengthCard
        own={own}
        onPasskey={() => setOpened('new-passkey')}
        onAuthenticator={addAuthenticator}
        onRecovery={() => setOpened('recovery')}
      />
      <Passkeys own={own} onOpen={setOpened} />
      <Others own={own} onOpen={setOpened} onAddAuthenticator={addAuthenticator} />
      <Rows title={t('safety.account')}>
        <PapersRow />
        <LinkRow to="/password" icon={<KeyRound {...icon} />} title={t('safety.password')} detail={t('safety.passwordHint')} />
        <ActionRow
          onClick={() => setOpened('phrase')}
          icon={<MailCheck {...icon} />}
          title={t('safety.phrase')}
          detail={t('safety.phraseDetail')}
          value={own.hasPhrase ? <span className="text-ok">{t('safety.on')}</span> : undefined}
        />
        <ActionRow
          onClick={() => setOpened('sessions')}
          icon={<MonitorSmartphone {...icon} />}
          title={t('me.sessions')}
          detail={t('me.sessionsHint')}
        />
        <ActionRow
          onClick={() => setOpened('history')}
          icon={<History {...icon} />}
          title={t('safety.history')}
          detail={t('safety.historyHint')}
        />
      </Rows>
      <NewPasskeySheet isOpen={opened === 'new-passkey'} own={own} onClose={close} onAdded={setCodes} />
      <PasskeySheet passkey={passkey} isLast={factorsIn(own) === 1} onClose={close} />
      <AuthenticatorSheets
        own={own}
        isOpen={opened === 'authenticator'}
        fresh={fresh}
        onClose={close}
        onReplace={addAuthenticator}
        onAdded={setCodes}
      />
      <RecoverySheet isOpen={opened === 'recovery'} left={own.recoveryCodesLeft} onClose={close} onRenewed={setCodes} />
      <CodesSheet codes={codes} onKept={() => setCodes(undefined)} />
      <PhraseSheet isOpen={opened === 'phrase'} own={own} onClose={close} />
      <SessionsSheet isOpen={opened === 'sessions'} onClose={close} />
      <HistorySheet isOpen={opened === 'history'} onClose={close} />
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
        value={isOn ? <span className="text-ok">{t('safety.on')}</span> : <span className="font-medium text-brand">{t('safety.add')}</span>}
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
