import type { WireKey } from '@candor/core/protocol/wire/keys.ts'
import { KeyRound, Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { LinkRow, Rows } from '../../parts/ui/row.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { keysQuery, useKeys } from './data.ts'
import { KeySheet } from './key-sheet.tsx'
import { NewKeySheet } from './new-key-sheet.tsx'
import { useScopes } from './scopes.ts'

/** The API keys of the user. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const list = useKeys()
  const [opened, setOpened] = useState<string>()
  const [isMaking, setIsMaking] = useState(false)
  const own = list.data?.keys ?? []
  const isFull = list.data !== undefined && own.length >= list.data.keysMax
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: keysQuery })}>
      <PageHeader title={t('apikeys.title')} fallback="/me" />
      <p className="px-4 pb-3 text-13 text-fg2">{t('apikeys.lead')}</p>
      {isVisitor && <LoginFirst text={t('apikeys.loginFirst')} next="/apikeys" />}
      {!isVisitor && list.data === undefined && (list.error === null ? <RowsSkeleton rows={3} /> : <Failure error={list.error} />)}
      {list.data !== undefined && (
        <div className="flex flex-col gap-3 px-4 pb-8">
          {own.length === 0 && <Empty text={t('apikeys.empty')} icon={<KeyRound size={22} strokeWidth={1.75} />} />}
          {own.map((key) => (
            <KeyCard key={key.id} apiKey={key} onOpen={() => setOpened(key.id)} />
          ))}
          <Button isWide disabled={isFull} onClick={() => setIsMaking(true)}>
            <Plus size={18} strokeWidth={2} aria-hidden />
            {t('apikeys.create')}
          </Button>
          <p className="text-12 text-fg3">{t('apikeys.count', { count: own.length, max: list.data.keysMax })}</p>
        </div>
      )}
      <div className="pb-8">
        <Rows>
          <LinkRow to="/webhooks" icon={<Webhook size={20} strokeWidth={1.75} />} title={t('webhooks.title')} detail={t('webhooks.lead')} />
        </Rows>
      </div>
      <KeySheet apiKey={own.find(({ id }) => id === opened)} onClose={() => setOpened(undefined)} />
      {list.data !== undefined && <NewKeySheet isOpen={isMaking} rules={list.data} onClose={() => setIsMaking(false)} />}
      <ProofGate />
    </Pull>
  )
}

function KeyCard({ apiKey, onOpen }: { readonly apiKey: WireKey; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const scopes = useScopes()
  const { label, key, ips, lastUsedAt, expiresAt } = apiKey
  const isOver = expiresAt !== undefined && expiresAt <= Date.now()
  return (
    <button type="button" onClick={onOpen} className="flex flex-col gap-2 rounded-card bg-s1 p-4 text-start active:bg-s2">
      <span className="flex w-full flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 text-15 font-semibold break-words">{label}</span>
        <span className="tn text-12 text-fg3">{`${key.slice(0, 6)}…${key.slice(-4)}`}</span>
      </span>
      <span className="flex flex-wrap gap-1.5">
        {apiKey.scopes.map((scope) => (
          <span
            key={scope}
            className={`rounded-chip px-2 py-0.5 text-12 font-medium ${scope === 'withdraw' ? 'bg-warntint text-fg' : 'bg-s2 text-fg2'}`}
          >
            {scopes[scope]}
          </span>
        ))}
        {isOver && <span className="rounded-chip bg-dangertint px-2 py-0.5 text-12 font-medium text-danger">{t('apikeys.ended')}</span>}
      </span>
      <span className="text-12 text-fg2">
        {ips.length === 0 ? t('apikeys.anywhere') : t('apikeys.addresses', { count: ips.length })}
        {' · '}
        {lastUsedAt === undefined ? t('apikeys.neverUsed') : t('apikeys.used', { ago: format.ago(lastUsedAt) })}
      </span>
    </button>
  )
}
