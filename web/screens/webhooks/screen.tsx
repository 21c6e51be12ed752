import type { WireWebhook } from '@candor/core/protocol/wire/webhooks.ts'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { useWebhooks, webhooksQuery } from './data.ts'
import { NewWebhookSheet } from './new-webhook-sheet.tsx'
import { WebhookSheet } from './webhook-sheet.tsx'

/** The user's webhooks. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const list = useWebhooks()
  const [opened, setOpened] = useState<string>()
  const [isMaking, setIsMaking] = useState(false)
  const own = list.data?.webhooks ?? []
  const isFull = list.data !== undefined && own.length >= list.data.max
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: webhooksQuery })}>
      <PageHeader title={t('webhooks.title')} fallback="/apikeys" />
      <p className="px-4 pb-3 text-13 text-fg2">{t('webhooks.lead')}</p>
      {isVisitor && <LoginFirst text={t('webhooks.loginFirst')} next="/webhooks" />}
      {!isVisitor && list.data === undefined && (list.error === null ? <RowsSkeleton rows={3} /> : <Failure error={list.error} />)}
      {list.data !== undefined && (
        <div className="flex flex-col gap-3 px-4 pb-8">
          {own.length === 0 && <Empty text={t('webhooks.empty')} icon={<Webhook size={22} strokeWidth={1.75} />} />}
          {own.map((webhook) => (
            <WebhookCard key={webhook.id} webhook={webhook} onOpen={() => setOpened(webhook.id)} />
          ))}
          <Button isWide disabled={isFull} onClick={() => setIsMaking(true)}>
            <Plus size={18} strokeWidth={2} aria-hidden />
            {t('webhooks.create')}
          </Button>
          <p className="text-12 text-fg3">{t('webhooks.count', { count: own.length, max: list.data.max })}</p>
        </div>
      )}
      <WebhookSheet webhook={own.find(({ id }) => id === opened)} onClose={() => setOpened(undefined)} />
      {list.data !== undefined && (
        <NewWebhookSheet isOpen={isMaking} hasLoopback={list.data.hasLoopback} onClose={() => setIsMaking(false)} />
      )}
      <ProofGate />
    </Pull>
  )
}

function WebhookCard({ webhook, onOpen }: { readonly webhook: WireWebhook; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const { url, kinds, pending, off, failingSince } = webhook
  const state =
    off !== undefined
      ? { text: t('webhooks.off'), tone: off.by === 'failing' ? 'bg-dangertint text-danger' : 'bg-s2 text-fg2' }
      : pending !== undefined
        ? { text: t('webhooks.pending'), tone: 'bg-warntint text-fg' }
        : failingSince !== undefined
          ? { text: t('webhooks.failing'), tone: 'bg-warntint text-fg' }
          : { text: t('webhooks.on'), tone: 'bg-brandtint text-brand' }
  return (
    <button type="button" onClick={onOpen} className="flex flex-col gap-2 rounded-card bg-s1 p-4 text-start active:bg-s2">
      <span className="w-full text-15 font-semibold break-all">{url}</span>
      <span className="flex w-full items-center justify-between gap-3">
        <span className="text-12 text-fg2">{t('webhooks.kindCount', { count: kinds.length })}</span>
        <span className={`rounded-chip px-2 py-0.5 text-12 font-medium ${state.tone}`}>{state.text}</span>
      </span>
    </button>
  )
}
