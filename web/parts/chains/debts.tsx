import type { WireAmount } from '@candor/core/protocol/wire/chains.ts'
import { useMutation } from '@tanstack/react-query'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'
import { chains as api } from './data.ts'

/** The user’s debts for deposits that vanished, each with a button that repays it. Empty without debts. */
export function Debts({ debts }: { readonly debts: readonly WireAmount[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const repay = useMutation({
    mutationFn: (asset: string) => api.repayDebt({ asset }),
    onSuccess: () => toast({ text: t('chains.repaid') }),
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  return debts.map(({ asset, amount }) => (
    <div key={asset} role="status" className="flex flex-col gap-3 rounded-card bg-dangertint p-4">
      <p className="text-13 text-pretty text-danger">{t('chains.owed', { amount: format.sum(amount, asset, true), asset })}</p>
      <Button variant="soft" size="medium" isBusy={repay.isPending} onClick={() => repay.mutate(asset)}>
        {t('chains.repay')}
      </Button>
    </div>
  ))
}
