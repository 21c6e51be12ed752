import type { WireChainNetwork } from '@candor/core/protocol/wire/chains.ts'
import { useMutation } from '@tanstack/react-query'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { chains, depositsQuery } from '../../parts/chains/data.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

const amount = '100'

/** Sandbox: lets the test chain send coins to the user. */
export function TestDeposit({ asset, network }: { readonly asset: string; readonly network: WireChainNetwork }) {
  const { t } = useTranslation()
  const said = { amount: useFormats().number(amount), asset }
  const send = useMutation({
    mutationFn: () => chains.testDeposit({ network: network.name, asset, amount }),
    onSuccess: () => toast({ text: t('chains.testSent', said), tone: 'good' }),
    onSettled: () => queries.invalidateQueries({ queryKey: depositsQuery }),
  })
  return (
    <section className="flex flex-col gap-3 rounded-card bg-s1 p-4">
      <p className="text-13 text-fg2">{t('chains.testHint', said)}</p>
      <Button variant="soft" isWide isBusy={send.isPending} onClick={() => send.mutate()}>
        {t('chains.test')}
      </Button>
      <FormError error={send.error} />
    </section>
  )
}
