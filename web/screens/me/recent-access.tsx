import { useMutation, useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { safety } from '../../parts/account/safety.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

const key = ['own', 'recent-access'] as const

/** After a password reset: lists keys and webhooks that somebody else may have created, with one button to revoke them all. */
export function RecentAccess() {
  const { t } = useTranslation()
  const format = useFormats()
  const recent = useQuery({ queryKey: key, queryFn: () => safety.recentAccess() })
  const revoke = useMutation({
    mutationFn: () => safety.revokeRecent(),
    onSuccess: () => toast({ text: t('me.recentRevoked'), tone: 'good' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  const made = [
    ...(recent.data?.keys ?? []).map((one) => ({ ...one, name: one.label })),
    ...(recent.data?.webhooks ?? []).map((one) => ({ ...one, name: one.url })),
  ]
  if (made.length === 0) return null
  return (
    <section aria-label={t('me.recentTitle')} className="mx-4 flex flex-col gap-3 rounded-card bg-warntint p-4">
      <h2 className="flex items-center gap-2 text-15 font-semibold">
        <ShieldAlert size={20} strokeWidth={1.75} aria-hidden className="shrink-0" />
        {t('me.recentTitle')}
      </h2>
      <p className="text-13">{t('me.recentLead')}</p>
      <ul className="flex flex-col">
        {made.map(({ id, name, createdAt }) => (
          <li key={id} className="flex min-h-11 items-center justify-between gap-3 border-b border-line py-1.5 text-13 last:border-0">
            <span className="min-w-0 break-words">{name}</span>
            <span className="tn shrink-0 text-12 text-fg2">{format.ago(createdAt)}</span>
          </li>
        ))}
      </ul>
      <FormError error={revoke.error} />
      <Button variant="danger" size="medium" isWide isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
        {t('me.recentRevoke')}
      </Button>
    </section>
  )
}
