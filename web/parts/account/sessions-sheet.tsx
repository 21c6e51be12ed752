import { useMutation, useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { client, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure, FormError } from '../ui/state.tsx'

const key = ['own', 'sessions'] as const

/** The sessions of this account, with buttons to end all except this one. */
export function SessionsSheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const sessions = useQuery({ queryKey: key, queryFn: () => client.user.sessions(), enabled: isOpen })
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: key })
  const end = useMutation({ mutationFn: (id: string) => client.user.endSession(id), onSettled: refresh })
  const endOthers = useMutation({ mutationFn: () => client.user.endOtherSessions(), onSettled: refresh })
  const hasOthers = (sessions.data?.length ?? 0) > 1
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('me.sessions')}
      footer={
        hasOthers ? (
          <Button variant="danger" isWide isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('me.endOthers')}
          </Button>
        ) : undefined
      }
    >
      {sessions.isPending && <Skeleton className="h-16 w-full rounded-control" />}
      {sessions.isError && <Failure error={sessions.error} onRetry={() => void sessions.refetch()} isSmall />}
      <FormError error={end.error ?? endOthers.error} />
      <ul className="flex flex-col">
        {sessions.data?.map((session) => (
          <li key={session.id} className="flex min-h-15 items-center gap-3 border-b border-line py-2 last:border-0">
            <MonitorSmartphone size={20} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-15">{session.device}</span>
              <span className="tn block text-12 text-fg3">
                {session.ip} · {session.isCurrent ? <span className="text-ok">{t('me.thisDevice')}</span> : format.ago(session.lastSeenAt)}
              </span>
            </span>
            {!session.isCurrent && (
              <Button
                variant="soft"
                size="small"
                isBusy={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id)}
              >
                {t('me.endSession')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
